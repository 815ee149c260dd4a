"""Whose a conversation is: its id carries its tenant, so that equal names of two tenants are two conversations.

A conversation of the tenant `default`, whom the command line works for, has its name as its id. One of any other
tenant has the tenant before the name (docs/adr/0011). So every table that names a conversation is keyed by tenant.
"""

import re

from dissolution.conversation import ConversationId
from dissolution.errors import InputError
from dissolution.job import TenantName

DEFAULT_TENANT = "default"
"""Who owns what is stored without a tenant: the command line's, and all that older versions stored."""

MARK = "\u241f"
"""U+241F, a sign that Unicode made for separating units; it stands in no name a tenant may give."""

NAME_CHARS = 120
"""Of a conversation's name, at most: with the tenant before it, it stays below what ids may have."""

TENANT = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?")


def checked_tenant(tenant: str) -> TenantName:
    """The tenant's name. Raises InputError for one that could not stand in an id or a URL."""
    if TENANT.fullmatch(tenant) is None:
        remedy = "use 1 to 63 small letters, digits, dots, dashes and underlines; begin and end with a letter or digit"
        raise InputError(f"tenant {tenant!r}", remedy)
    return tenant


def scoped(tenant: TenantName, name: str) -> ConversationId:
    """The id of a tenant's conversation. Raises InputError for a name that could reach into another tenant."""
    if MARK in name or not 0 < len(name) <= NAME_CHARS:
        raise InputError(f"conversation name {name!r}", f"use 1 to {NAME_CHARS} characters, none of them {MARK}")
    return name if tenant == DEFAULT_TENANT else f"{tenant}{MARK}{name}"


def tenant_of(conversation: ConversationId) -> TenantName:
    """Whose the conversation is."""
    tenant, mark, _ = conversation.partition(MARK)
    return tenant if mark and TENANT.fullmatch(tenant) else DEFAULT_TENANT


def name_of(conversation: ConversationId) -> str:
    """What its tenant calls it."""
    tenant = tenant_of(conversation)
    return conversation if tenant == DEFAULT_TENANT else conversation.removeprefix(f"{tenant}{MARK}")
