"""Each class of difference by sentences written for it: what contradicts, what may meet, what may both hold."""

import pytest

from consensus.guards import contradiction, vetoes
from consensus.profile import Profile

CONTRADICT = [
    ("unit", "The disk holds 2 TB.", "The disk holds 500 GB."),
    ("date", "The audit begins on 3 May.", "The audit begins on 5 May."),
    ("version", "We run Postgres 15.4 in production.", "We run Postgres 16.1 in production."),
    ("identifier", "The outage began on db-west-2.", "The outage began on db-west-7."),
    ("negation", "Backups are encrypted at rest.", "Backups are not encrypted at rest."),
    ("antonym", "Guests are allowed on the staging network.", "Guests are forbidden on the staging network."),
    ("antonym", "The migration of the invoices is done.", "The migration of the invoices is pending."),
    ("antonym", "The repository is public.", "The repository is private."),
    ("antonym", "Latency rose after the upgrade.", "Latency fell after the upgrade."),
    ("choice", "We use Kafka for events.", "Kafka is ruled out for events."),
    ("choice", "The team adopts Terraform.", "The team drops Terraform."),
    ("start/stop", "The nightly export starts on Monday.", "The nightly export stops on Monday."),
    ("reverse", "The rename of the bucket is reverted.", "The rename of the bucket is not reverted."),
    ("comparative", "Plan A is cheaper than plan B.", "Plan B is cheaper than plan A."),
    ("comparative", "Redis is faster than Postgres.", "Redis is slower than Postgres."),
    ("roles", "Dana approves Lee's release.", "Lee approves Dana's release."),
    ("modality", "The vendor may raise prices.", "The vendor raises prices."),
    ("modality", "Is the certificate still valid?", "The certificate is still valid."),
    ("modality", "Reviewers must sign the form.", "Reviewers need not sign the form."),
    ("modality", "Editors can publish drafts.", "Editors cannot publish drafts."),
    ("tense", "We used to deploy on Fridays.", "We deploy on Fridays."),
    ("tense", "From now on we deploy on Mondays.", "We no longer deploy on Mondays."),
    ("scope", "All nodes run the patched kernel.", "Only some nodes run the patched kernel."),
    ("scope", "Every invoice carries a reference.", "No invoice carries a reference."),
    ("who", "Marta approves the budget.", "Jonas approves the budget."),
    ("option", "The service runs on Nomad.", "The service runs on Kubernetes."),
    ("option", "The frontend is written in Svelte.", "The frontend is written in React."),
    ("cause", "The outage was caused by DNS.", "The outage was caused by BGP."),
    ("order", "Tests run before the build.", "Tests run after the build."),
    ("change", "Churn falls from 8 to 6 percent.", "Churn falls by 50 percent."),
    ("limit", "Uploads stay under 20 MB.", "The upload limit is lifted."),
    ("zero", "The gateway drops packets.", "The gateway has 0 drops."),
    ("unit", "The truck carries 3 t.", "The truck carries 1.5 t."),
    ("date", "The lease ends in September 2027.", "The lease ends in March 2027."),
    ("date", "The call is on Tuesday.", "The call is on Thursday."),
    ("version", "The client needs Java 17.", "The client needs Java 21."),
    ("identifier", "Ticket OPS-411 tracks the leak.", "Ticket OPS-414 tracks the leak."),
    ("negation", "The sensor reports humidity.", "The sensor never reports humidity."),
    ("antonym", "Overtime is mandatory for the crew.", "Overtime is optional for the crew."),
    ("antonym", "The queue is full.", "The queue is empty."),
    ("antonym", "The review of the contract is finished.", "The review of the contract is outstanding."),
    ("antonym", "The margin is comfortable.", "The margin is tight."),
    ("antonym", "The east gate is open at night.", "The east gate is closed at night."),
    ("choice", "The board selected the Lisbon office.", "The board rejected the Lisbon office."),
    ("choice", "We keep the old logo.", "We scrap the old logo."),
    ("start/stop", "The heating is switched on in October.", "The heating is switched off in October."),
    ("comparative", "The north wing is older than the south wing.", "The south wing is older than the north wing."),
    ("comparative", "The new pump is louder than the old pump.", "The new pump is quieter than the old pump."),
    ("roles", "Acme sues Borealis.", "Borealis sues Acme."),
    ("modality", "Perhaps the bridge closes in May.", "The bridge closes in May."),
    ("modality", "Whether the grant is renewed is undecided.", "The grant is renewed."),
    ("modality", "Drivers have to log every stop.", "Drivers do not have to log every stop."),
    ("tense", "The museum used to charge for entry.", "The museum charges for entry."),
    ("tense", "The clinic no longer takes walk-ins.", "The clinic takes walk-ins."),
    ("scope", "Each delivery is inspected.", "Not every delivery is inspected."),
    ("scope", "All of the samples passed.", "None of the samples passed."),
    ("who", "Yusuf leads the pilot.", "Carmen leads the pilot."),
    ("option", "The archive is stored in Geneva.", "The archive is stored in Oslo."),
    ("option", "The team uses Figma for mockups.", "The team uses Sketch for mockups."),
    ("cause", "The delay is due to Customs.", "The delay is due to Weather."),
    ("order", "The deposit is paid before the inspection.", "The deposit is paid after the inspection."),
    ("change", "Emissions drop from 50 to 40 tonnes.", "Emissions drop by 35 percent."),
    ("limit", "Comments stay below 500 characters.", "There is no length limit on comments any more."),
    ("date", "Enrolment closes on 1 March.", "Enrolment closes on 15 March."),
    ("version", "The kiosk app needs Android 12.", "The kiosk app needs Android 14."),
    ("identifier", "Room B-204 hosts the archive.", "Room B-240 hosts the archive."),
    ("negation", "The lift stops at the third floor.", "The lift does not stop at the third floor."),
    ("antonym", "The trail is steep and narrow.", "The trail is steep and wide."),
    ("antonym", "The pilot succeeded.", "The pilot failed."),
    ("antonym", "Parking is free on Sundays.", "Parking is paid on Sundays."),
    ("choice", "Copper pipes were chosen.", "Copper pipes were rejected."),
    ("choice", "We go with the Bergen supplier.", "We decided against the Bergen supplier."),
    ("start/stop", "The newsletter is discontinued.", "The newsletter continues."),
    ("comparative", "Wood is lighter than steel here.", "Steel is lighter than wood here."),
    ("roles", "The tenant insures the landlord.", "The landlord insures the tenant."),
    ("modality", "It is unclear whether the well is dry.", "The well is dry."),
    ("modality", "Helmets must be worn.", "Helmets need not be worn."),
    ("tense", "The bakery used to open on Sundays.", "The bakery opens on Sundays."),
    ("scope", "Only two of the boats have radios.", "All of the boats have radios."),
    ("scope", "Nobody on the crew has a licence.", "Everybody on the crew has a licence."),
    ("who", "Farah signs the invoices.", "Oskar signs the invoices."),
    ("option", "The clinic is located in Lyon.", "The clinic is located in Nice."),
    ("option", "Payment is by invoice.", "Payment is by card."),
    ("cause", "The fire was caused by a heater.", "The fire was caused by a candle."),
    ("order", "The walls are painted before the floor is laid.", "The floor is laid before the walls are painted."),
    ("change", "Output climbs from 10 to 15 tonnes.", "Output climbs by 20 percent."),
    ("reverse", "The price rise stands.", "The price rise is withdrawn."),
    ("modality", "Interns may sign contracts.", "Interns may not sign contracts."),
    ("zero", "The valve leaks.", "The valve has zero leaks."),
]
"""Pairs that cannot both hold, by class."""

MEET = [
    ("unit", "The job times out after 8 h.", "The job times out after 28800 s."),
    ("unit", "The lease lasts eight hours.", "The lease lasts 28,800 seconds."),
    ("roles", "Dana pays Lee.", "Lee is paid by Dana."),
    ("unit", "The trial runs for two weeks.", "The trial runs for 14 days."),
    ("roles", "Ines trains Tom.", "Tom is trained by Ines."),
    ("unit", "Each crate weighs 12 kg.", "Each crate weighs 12,000 g."),
]
"""Paraphrases that no guard may part, by class."""

BOTH_HOLD = [
    ("date", "Standup is at 9:30.", "Standup is at half past nine."),
    ("negation", "It is not impossible to ship in June.", "It is possible to ship in June."),
    ("negation", "No one disagrees with the pricing.", "Everyone agrees with the pricing."),
    ("comparative", "Plan A is cheaper than plan B.", "Plan B is more expensive than plan A."),
    ("tense", "Priya is used to long meetings.", "Priya likes long meetings."),
    ("near", "The backup runs at 02:00.", "The backup takes 40 minutes."),
    ("near", "The API has 12 endpoints.", "The API serves 300 requests per second."),
    ("near", "Marta approves the budget.", "Marta writes the budget."),
    ("near", "The maximum load is 80 kg.", "The average load is 55 kg."),
    ("near", "The report is due on 3 May.", "The slides are due on 5 May."),
    ("near", "The cache is small.", "The cache is fast."),
    ("near", "Kafka is ruled out.", "RabbitMQ is ruled out."),
    ("near", "Open: who pays the licence?", "The licence costs 400 EUR a year."),
    ("near", "Dana owns the billing service.", "Lee owns the search service."),
    ("change", "Sales rise from 200 to 250 units.", "Sales rise by 25 percent."),
    ("unit", "The window lasts 90 minutes.", "The window lasts an hour and a half."),
    ("negation", "Nobody denies that the pump leaks.", "The pump leaks."),
    ("negation", "Nothing ships without Nadia's approval.", "Nadia approves everything that ships."),
    ("comparative", "Osaka is larger than Kyoto.", "Kyoto is smaller than Osaka."),
    ("tense", "The staff are used to the noise.", "The staff know the noise."),
    ("near", "The festival starts on 4 July.", "The festival lasts three days."),
    ("near", "The greenhouse has 40 beds.", "The greenhouse uses 900 litres of water."),
    ("near", "Yusuf leads the pilot.", "Yusuf funds the pilot."),
    ("near", "The minimum order is 10 boxes.", "The typical order is 45 boxes."),
    ("near", "The brochure is due on 9 June.", "The poster is due on 12 June."),
    ("near", "The engine is loud.", "The engine is reliable."),
    ("near", "Diesel is excluded.", "Hydrogen is excluded."),
    ("near", "It is open who translates the manual.", "The manual has 60 pages."),
    ("near", "Carmen owns the ledger.", "Yusuf owns the archive."),
    ("near", "The library is in Porto.", "The library has a reading room in Braga."),
    ("change", "Traffic grows from 100 to 130 cars.", "Traffic grows by 30 percent."),
    ("unit", "The ferry crossing takes 45 minutes.", "The ferry crossing takes three quarters of an hour."),
    ("negation", "There is no reason to doubt the audit.", "The audit can be trusted."),
    ("near", "The ferry crossing takes 45 minutes.", "The ferry runs every 30 minutes."),
    ("near", "The clinic is located in Lyon.", "The clinic has a lab."),
    ("near", "Copper pipes were rejected.", "Lead pipes were rejected."),
    ("near", "The rent for the shop is 900 EUR a month.", "The rent for the flat is 700 EUR a month."),
    ("near", "Farah signs the invoices.", "Oskar checks the invoices."),
    ("near", "The trail is steep.", "The trail is long."),
    ("near", "In 2019 the club had 40 members.", "The club has 65 members."),
    ("near", "Who repairs the roof is open.", "The roof is 30 years old."),
    ("near", "The pilot covers two schools.", "The pilot covers English and maths."),
    ("near", "All boats have life vests.", "None of the boats has a kitchen."),
    ("change", "Prices fall from 80 to 60 euros.", "Prices fall by 25 percent."),
]
"""Pairs that may both hold, by class."""


@pytest.mark.parametrize(("kind", "one", "two"), CONTRADICT)
def test_contradictions_are_seen_both_ways(kind: str, one: str, two: str) -> None:
    a, b = Profile(one), Profile(two)
    assert contradiction(a, b) is not None, kind
    assert contradiction(b, a) is not None, kind


@pytest.mark.parametrize(("kind", "one", "two"), MEET)
def test_paraphrases_may_meet(kind: str, one: str, two: str) -> None:
    assert vetoes(Profile(one), Profile(two)) == (), kind
    assert vetoes(Profile(two), Profile(one)) == (), kind


@pytest.mark.parametrize(("kind", "one", "two"), BOTH_HOLD)
def test_what_may_both_hold_is_no_contradiction(kind: str, one: str, two: str) -> None:
    assert contradiction(Profile(one), Profile(two)) is None, kind
    assert contradiction(Profile(two), Profile(one)) is None, kind
