"""Whom a network address stands for, where what one address may have is limited."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

_HOUSEHOLD: Final = 64  # bits of an IPv6 address that are given out together; the rest is free


def network_of(address: str) -> str:
    """An IPv4 address itself; of an IPv6 address the network that one customer has whole.

    Whoever has one address of a /64 has all 2⁶⁴ of them. An IPv4 address that is written as an
    IPv6 address counts as what it is, and what is no address as it stands.

    >>> network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.1"), network_of("192.0.2.1")
    ('2001:db8:1:2::/64', '192.0.2.1', '192.0.2.1')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((int(found), _HOUSEHOLD), strict=False))
