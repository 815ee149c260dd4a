"""Erasing a tenant: all of its conversations, keys, webhooks and rules, and nothing of another's."""

from pathlib import Path

from dissolution.service import IntakeRules, KeyScope
from dissolution.settings import Settings
from dissolution.tenancy import scoped
from dissolution.webhooks import WebhookEndpoint
from tests.factories import INSTANT, a_conversation
from workers.bootstrap import open_services
from workers.tenants.api_keys import new_key
from workers.tenants.erasure import PAGE, erase_tenant


def test_all_of_one_tenant_goes_and_all_of_the_other_stays(tmp_path: Path) -> None:
    settings = Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}", embedder="hashing")
    with open_services(settings) as services:
        with services.unit_of_work() as work:
            for tenant, count in (("acme", PAGE + 3), ("zeta", 2)):
                for number in range(count):
                    work.conversations.extend(a_conversation("hello", name=scoped(tenant, f"talk-{number}")))
                work.service.keys.add(new_key(tenant, "k", [KeyScope.READ], INSTANT)[0])
                work.service.intake.set_rules(tenant, IntakeRules(personal_data="presidio"), INSTANT)
                endpoint = f"we_{tenant.encode().hex().ljust(24, '0')}"
                work.service.webhooks.add(
                    WebhookEndpoint(id=endpoint, tenant=tenant, url="https://example.com", created_at=INSTANT)
                )
            work.commit()

        assert erase_tenant(services, "acme", actor="ann", reason="contract ended") == PAGE + 3

        with services.unit_of_work() as work:
            assert work.service.listing.tenants() == ("zeta",)
            assert len(work.service.listing.conversations("zeta", None, 99)) == 2
            assert work.service.webhooks.of_tenant("acme") == ()
            assert len(work.service.webhooks.of_tenant("zeta")) == 1
            assert {one.actor for one in work.ledger.erasures()} == {"ann"}
        assert erase_tenant(services, "acme", actor="ann", reason="again") == 0
