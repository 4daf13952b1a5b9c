"""The addresses by which phones reach this machine: by number, not only ``.local``."""

from __future__ import annotations

import fcntl
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, ip_address
from pathlib import Path

SIOCGIFADDR = 0x8915
"""Linux: read one interface's IPv4 address (``netdevice(7)``)."""

SIOCGIFNETMASK = 0x891B
"""Linux: read one interface's netmask."""

INNER_INTERFACES = ("lo", "docker", "veth", "br-", "virbr", "tun", "tap", "wg")
"""Prefixes of interfaces that no phone at the table is on."""

WIRELESS_INTERFACES = ("wl", "ap", "uap")
"""Prefixes of interfaces that phones usually are on; listed first."""

EVERYWHERE = ("0.0.0.0", "", "::")
"""Addresses to listen on that stand for all interfaces."""

AVAHI = Path("/run/avahi-daemon/socket")
"""There while this machine answers to its name with ``.local``."""

HTTP_PORT = 80


@dataclass(frozen=True, slots=True)
class Interface:
    """A network that this machine is on.

    Attributes:
        name: ``wlan0``.
        address: Ours in it, IPv4.
        network: Who is in it.
    """

    name: str
    address: str
    network: IPv4Network


def own_interfaces() -> tuple[Interface, ...]:
    """Return the networks that phones may be on, wireless first; sends no packet."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            if name.startswith(INNER_INTERFACES):
                continue
            request = struct.pack("256s", name.encode()[:15])
            try:
                address = _read(probe, SIOCGIFADDR, request)
                mask = _read(probe, SIOCGIFNETMASK, request)
            except OSError:  # an interface without an address
                continue
            network = IPv4Network(f"{address}/{mask}", strict=False)
            found.append(Interface(name, address, network))
    return tuple(
        sorted(found, key=lambda one: not one.name.startswith(WIRELESS_INTERFACES))
    )


def _read(probe: socket.socket, what: int, request: bytes) -> str:
    return socket.inet_ntoa(fcntl.ioctl(probe.fileno(), what, request)[20:24])


def interfaces_of(host: str) -> tuple[Interface, ...]:
    """Return the networks in which a server that listens on `host` is reached."""
    if host in EVERYWHERE:
        return own_interfaces()
    return tuple(one for one in own_interfaces() if one.address == host)


def local_name() -> str:
    """Return this machine's name with ``.local``, "" where it does not answer to it."""
    return f"{socket.gethostname().lower()}.local" if AVAHI.exists() else ""


def host_name(host: str) -> str:
    """Return the name part of a ``Host`` header: no port, no brackets, lower case."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].rstrip(".")


def is_number(name: str) -> bool:
    """Say whether a host is an address by number, IPv4 or IPv6."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def url_of(host: str, port: int) -> str:
    """Return the page's address for a host, by number or by name."""
    suffix = "" if port == HTTP_PORT else f":{port}"
    return f"http://{f'[{host}]' if ':' in host else host}{suffix}/"


def page_urls(
    host: str, remote: str, interfaces: Sequence[Interface], port: int
) -> tuple[str, ...]:
    """Return the page's addresses for other phones, the likeliest first.

    The address by which the asking device reached us is proven to work on its
    network, so it wins if it is a number that others can use too; then ours in the
    network that the device is in; then the others; and only where there is none of
    these, what was asked.

    Args:
        host: The request's ``Host`` header.
        remote: The device's own address, "" if unknown.
        interfaces: Ours, likeliest first.
        port: Ours, used where the header names none; 80 is left out of the URL.
    """
    asked = host_name(host)
    _, _, named = host.rpartition("]")[2].partition(":")
    port = int(named) if named.isdecimal() else port
    near = sorted(interfaces, key=lambda one: not _is_in(remote, one.network))
    addresses = [one.address for one in near]
    if _is_for_others(asked):
        addresses.insert(0, asked)
    found = dict.fromkeys(addresses or [asked])
    return tuple(url_of(address, port) for address in found)


def _is_in(remote: str, network: IPv4Network) -> bool:
    try:
        return IPv4Address(remote) in network
    except ValueError:
        return False


def _is_for_others(asked: str) -> bool:
    """Say whether an address by number means the same machine to other phones."""
    try:
        address = IPv4Address(asked)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified)
