"""The addresses by which phones reach this machine: by number, not only ``.local``."""

from __future__ import annotations

import fcntl
import socket
import struct
from ipaddress import IPv4Address, ip_address

SIOCGIFADDR = 0x8915
"""Linux: read one interface's IPv4 address (``netdevice(7)``)."""

INNER_INTERFACES = ("lo", "docker", "veth", "br-", "virbr", "tun", "tap")
"""Prefixes of interfaces that no phone at the table is on."""

WIRELESS_INTERFACES = ("wl", "ap", "uap")
"""Prefixes of interfaces that phones usually are on; listed first."""


def own_addresses() -> tuple[str, ...]:
    """Return this machine's IPv4 addresses, wireless first; no packet is sent."""
    found: list[tuple[bool, str]] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            if name.startswith(INNER_INTERFACES):
                continue
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)
            except OSError:  # an interface without an address
                continue
            address = socket.inet_ntoa(answer[20:24])
            found.append((not name.startswith(WIRELESS_INTERFACES), address))
    return tuple(address for _, address in sorted(found, key=lambda pair: pair[0]))


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


def join_url(host: str, addresses: tuple[str, ...], port: int) -> str:
    """Return the address to put in the QR code.

    The address by which the asking device reached us is proven to work on its
    network, so it wins if it is a number that others can use too; then the first of
    our own; and only then a name.

    Args:
        host: The request's ``Host`` header.
        addresses: Ours, likeliest first.
        port: Ours, used where the header names none; 80 is left out of the URL.
    """
    asked = host_name(host)
    _, _, named = host.rpartition("]")[2].partition(":")
    port = int(named) if named.isdecimal() else port
    reachable = (
        is_number(asked)
        and ":" not in asked
        and not IPv4Address(asked).is_loopback
        and not IPv4Address(asked).is_unspecified
    )
    best = asked if reachable else (addresses[0] if addresses else asked)
    suffix = "" if port == 80 else f":{port}"
    return f"http://{best}{suffix}/"
