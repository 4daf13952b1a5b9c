from __future__ import annotations

import pytest
import segno
from flask.testing import FlaskClient

from tests.web.table import OWN
from web.addresses import join_url, own_addresses

OURS = ("192.168.4.1", "10.0.0.7")


@pytest.mark.parametrize(
    ("host", "addresses", "port", "url"),
    [
        ("192.168.1.5:8080", OURS, 8080, "http://192.168.1.5:8080/"),
        ("dicelight.local:8080", OURS, 8080, "http://192.168.4.1:8080/"),
        ("localhost:8080", OURS, 8080, "http://192.168.4.1:8080/"),
        ("127.0.0.1:8080", OURS, 8080, "http://192.168.4.1:8080/"),
        ("0.0.0.0:8080", OURS, 8080, "http://192.168.4.1:8080/"),
        ("[fe80::1]:8080", OURS, 8080, "http://192.168.4.1:8080/"),
        ("dicelight.local", (), 80, "http://dicelight.local/"),
        ("192.168.1.5", OURS, 80, "http://192.168.1.5/"),
        ("localhost:39001", OURS, 0, "http://192.168.4.1:39001/"),
        ("[fe80::1]:39001", OURS, 0, "http://192.168.4.1:39001/"),
    ],
)
def test_the_code_carries_an_address_that_other_phones_reach(
    host: str, addresses: tuple[str, ...], port: int, url: str
) -> None:
    assert join_url(host, addresses, port) == url


def test_own_addresses_are_numbers_and_never_loopback() -> None:
    for address in own_addresses():
        assert address.count(".") == 3 and not address.startswith("127.")


def test_the_joining_page_draws_the_address_as_a_code(client: FlaskClient) -> None:
    page = client.get("/join").text
    assert "http://192.168.4.1:8080/" in page
    code = segno.make("http://192.168.4.1:8080/", error="m", micro=False)
    side = code.symbol_size(scale=4, border=2)[0]
    assert f'viewBox="0 0 {side} {side}"' in page


def test_joining_again_changes_the_name_and_keeps_the_device(
    player: FlaskClient,
) -> None:
    with player.session_transaction() as session:
        before = session["id"]
    player.post("/join", data={"name": " Bo  b ", "role": "spectator"}, headers=OWN)
    with player.session_transaction() as session:
        assert (session["id"], session["name"]) == (before, "Bo b")
        assert session["role"] == "spectator"


def test_leaving_forgets_the_device(player: FlaskClient) -> None:
    assert player.post("/leave", headers=OWN).status_code == 303
    assert player.get("/now").status_code == 303
