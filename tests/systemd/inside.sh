# What container.sh runs inside the container: each `holds` names what must be true.
set -uo pipefail
cd /srv/dicelight
failed=0
holds() { # holds WHAT COMMAND...: the command must succeed
    local what=$1
    shift
    if "$@" >/tmp/said 2>&1; then
        printf 'ok     %s\n' "$what"
    else
        printf 'FAILED %s\n' "$what"
        tail -n 15 /tmp/said
        journalctl --unit=dicelight --lines=12 --no-pager --output=cat
        failed=1
    fi
}
files() { # every file, folder and link with its owner; of /etc the contents too
    find /etc -type f ! -name '*-' -exec sha256sum {} + | sort -k 2
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp \
        -o -path /srv -o -path /var/log -o -path /var/cache -o -path /var/lib/apt \
        -o -path /var/lib/dpkg -o -path /var/lib/systemd -o -path /var/lib/private \
        -o -path /root \) -prune -o ! -path '/etc/*-' -printf '%y %p %u %m %l\n' | sort
}
needs() { # what the rest cannot do without
    holds "$@"
    [ $failed -eq 0 ] || exit 1
}
page() { curl --silent --fail --max-time 5 --output /dev/null http://127.0.0.1:80/; }
page_soon() { for _ in $(seq 60); do page && return; sleep 1; done; return 1; }
says() { grep -q -- "$1" /tmp/out; }
property() { systemctl show dicelight.service --property="$1" --value; }
main_pid() { property MainPID; }
release() { readlink /opt/dicelight/current; }
same() { [ "$1" = "$2" ]; }
begun=$SECONDS
took() { printf '       (%d s since the start)\n' $((SECONDS - begun)); }

printf 'Debian %s, systemd %s\n' "$(cat /etc/debian_version)" "$(systemctl --version | sed -n '1s/ (.*//p')"
# Debian packages stay after an uninstall, so they come first.
apt-get update >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-venv >/dev/null
files >/tmp/before

systemd/install --dry-run >/tmp/out 2>&1
holds 'a dry run names the user' says 'make the user dicelight'
files >/tmp/dry
holds 'a dry run changes nothing' diff /tmp/before /tmp/dry

needs 'install' systemd/install
took
needs 'the page answers on port 80' page_soon
holds 'the service says it is up' systemctl is-active --quiet dicelight
holds 'it runs as dicelight' same "$(ps -o user= -p "$(main_pid)")" dicelight
holds 'it holds no capability but the port' same "$(awk '/CapEff/ {print $2}' /proc/"$(main_pid)"/status)" 0000000000000400
holds 'systemd-analyze verify prints nothing' same "$(systemd-analyze verify /etc/systemd/system/dicelight.service 2>&1)" ''
holds 'exposure is at most 2.5' systemd-analyze security --threshold=25 --no-pager dicelight.service
echo '--- commands typed by people'
useradd --create-home pi
cd /home/pi || exit 1
holds 'the doctor of root asks as the service does' bash -c 'dicelight doctor --json >/tmp/doctor; grep -q "\"name\": \"state\", \"state\": \"ok\"" /tmp/doctor'
runuser -u pi -- dicelight camera --save >/tmp/out 2>&1
holds 'somebody else is told the line to type' same "$(cat /tmp/out)" 'dicelight: /var/lib/dicelight belongs to the service; type: sudo dicelight camera --save'
cp /etc/dicelight/dicelight.toml /tmp/shipped
printf '[[strip]]\nname = "edge"\npixels = 9\npitch_mm = 8\nfirst_pixel_mm = 4\nlimit_ma = 99\ndriver = "simulated"\n' >>/etc/dicelight/dicelight.toml
holds 'root measures a strip' dicelight calibrate edge --point 0=4.5 --point 8=70 --save
holds 'what it learns is the service'"'"'s' same "$(stat -c '%U %G' /var/lib/dicelight/strips.json)" 'dicelight dicelight'
mv /tmp/shipped /etc/dicelight/dicelight.toml
holds 'root bundles, into a folder of its own' bash -c 'dicelight bundle -o /root/b.zip && python3 -m zipfile -l /root/b.zip | grep -q doctor.json'
holds 'nothing in the state is root'"'"'s' same "$(find /var/lib/dicelight ! -user dicelight | wc -l)" 0
rm -f /var/lib/dicelight/strips.json
cd /srv/dicelight || exit 1
userdel --remove pi
echo '--- again'
files >/tmp/installed
systemd/install >/tmp/out 2>&1
holds 'a second install has nothing to do' says 'nothing to do'
files >/tmp/again
holds 'a second install changes nothing' diff /tmp/installed /tmp/again
echo 'game' >/var/lib/dicelight/witness && chown dicelight: /var/lib/dicelight/witness
sed -i 's/^free_rolls = false/free_rolls = true/' /etc/dicelight/dicelight.toml
cp /etc/dicelight/dicelight.toml /tmp/config
kept() { cmp /etc/dicelight/dicelight.toml /tmp/config && grep -q game /var/lib/dicelight/witness; }

echo '--- a hung and a killed process'
old=$(main_pid)
kill -STOP "$old"
revived() { for _ in $(seq 60); do [ "$(main_pid)" != "$old" ] && [ "$(main_pid)" != 0 ] && return; sleep 1; done; return 1; }
holds 'the watchdog ends a stopped process' revived
holds 'the page is back after it' page_soon
old=$(main_pid)
kill -KILL "$old"
holds 'a killed process is started again' revived
holds 'the page is back after that' page_soon
took

echo '--- safe mode'
sleep 25 # the starts above must count as held
echo 'nonsense = [' >>/etc/dicelight/dicelight.toml
systemctl restart dicelight
holds 'two failed starts: the third is the page alone' page_soon
holds 'systemctl status says safe mode' bash -c 'systemctl status dicelight | grep -qi "safe mode"'
holds 'the journal says why' bash -c 'journalctl -u dicelight | grep -i "safe mode" | grep -q dicelight.toml'
cp /tmp/config /etc/dicelight/dicelight.toml
systemctl restart dicelight
holds 'a restart with a mended configuration leaves safe mode' page_soon
holds 'systemctl status says so' bash -c '! systemctl status dicelight | grep -qi "status:.*safe mode"'
echo 'nonsense = [' >>/etc/dicelight/dicelight.toml
systemctl restart dicelight
holds 'in safe mode again' page_soon
code=$(dicelight invite | sed -n 's/.*and the code \([0-9]*\) \([0-9]*\)\..*/\1\2/p')
phone() { curl --silent --fail --max-time 10 --cookie-jar /tmp/jar --cookie /tmp/jar --header 'Origin: http://127.0.0.1' "$@"; }
holds 'a phone joins' phone --data "name=Ann&role=player&code=$code" http://127.0.0.1/join
holds 'set-up on the page says safe mode' bash -c "curl --silent --cookie /tmp/jar http://127.0.0.1/setup | grep -q 'Safe mode is on'"
cp /tmp/config /etc/dicelight/dicelight.toml
old=$(main_pid)
restarts=$(property NRestarts)
holds 'its button is pressed' phone --data '' http://127.0.0.1/setup/safe/leave
holds 'systemd starts the service again' revived
holds 'the page is back' page_soon
holds 'once, and without a failure' same "$(property NRestarts) $(property Result)" "$((restarts + 1)) success"
holds 'all of it was started' bash -c "curl --silent --cookie /tmp/jar http://127.0.0.1/setup | grep -q 'Safe mode is off'"
holds 'systemctl status says so too' bash -c '! systemctl status dicelight | grep -qi "status:.*safe mode"'
took

echo '--- update'
cp -a /srv/dicelight /srv/newer
echo '# newer' >>/srv/newer/device/__init__.py
/srv/newer/systemd/install >/tmp/out 2>&1
holds 'another checkout waits for --update' says '--update'
holds 'release 1 still runs' same "$(release)" releases/1
holds 'update' /srv/newer/systemd/install --update
holds 'release 2 runs' same "$(release)" releases/2
holds 'its code runs' bash -c "tr '\\0' ' ' </proc/$(main_pid)/cmdline | grep -q releases/2/"
holds 'the page answers' page_soon
holds 'games and configuration are kept' kept
/srv/newer/systemd/install --update >/tmp/out 2>&1
holds 'a second update has nothing to do' says 'nothing to do'
holds 'roll back' /srv/newer/systemd/install --roll-back
holds 'release 1 runs again' same "$(release)" releases/1
holds 'the page answers' page_soon
holds 'games and configuration are kept' kept
cp -a /srv/newer /srv/broken
echo 'raise SystemExit(1)' >>/srv/broken/device/cli.py
sed -i 's/^Type=notify/&\n# of the broken one/' /srv/broken/systemd/dicelight.service
/srv/broken/systemd/install --update >/tmp/out 2>&1
holds 'an update that does not start takes itself back' says 'going back to release 1'
holds 'release 1 runs after it' same "$(release)" releases/1
holds 'with its own unit' bash -c '! grep -q "of the broken one" /etc/systemd/system/dicelight.service'
holds 'the page answers' page_soon
holds 'two releases are kept' same "$(ls /opt/dicelight/releases | wc -l)" 2
took

echo '--- uninstall'
holds 'uninstall' /opt/dicelight/current/systemd/uninstall
holds 'games and configuration are kept' kept
holds 'nobody but root owns the data' same "$(find /var/lib/dicelight ! -user root | wc -l)" 0
/srv/dicelight/systemd/uninstall >/tmp/out 2>&1
holds 'a second uninstall has nothing to do' says 'nothing to do'
holds 'it says what it keeps' says 'Kept: /var/lib/dicelight and /etc/dicelight'
files | grep -vE ' /(etc|var/lib)/dicelight(/|$| )' >/tmp/after
holds 'no other file is left, and no line of another' diff /tmp/before /tmp/after
holds 'no user and no group is left' bash -c '! grep -E "^(dicelight|spi|gpio):" /etc/passwd /etc/group'
holds 'install again, --no-start' systemd/install --no-start
holds 'with the old configuration' kept
holds 'nothing was started' bash -c '! systemctl is-active --quiet dicelight'
systemctl daemon-reload && systemctl restart dicelight
holds 'the old games belong to the service again' same "$(stat -c %U /var/lib/dicelight/witness)" dicelight
/srv/dicelight/systemd/uninstall --purge >/tmp/out 2>&1
holds 'a purge names the data' says 'remove /var/lib/dicelight'
files >/tmp/after
holds 'and leaves nothing' diff /tmp/before /tmp/after
took
[ $failed -eq 0 ] && echo 'ALL HELD'
