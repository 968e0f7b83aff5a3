"""Panels, commands and reports read what lab/access_cost.h says of an access: they choose no model themselves.

usage: one_judge.py SOURCE_ROOT

Exempt: maps/text_figure.cc, whose figures in labs' texts are of today's rules and of no GPU, and maps/coalescer_map.cc,
which cuts a request into the rows that are drawn."""
import pathlib, re, sys

JUDGES = re.compile(r"\b(models::(coalescing_rule_of|bank_rule_of|explain_transactions|explain_bank_generation|explain_banks|coalesce|"
                    r"count_sectors|count_atomic_sectors|count_wavefronts|count_atomic_loop|count_transactions|padded_access"
                    r"|explain_bursts|advise_index)"
                    r"|timing::(shared_access_of|global_access_of))\(")
EXEMPT = {"app/ui/maps/text_figure.cc", "app/ui/maps/coalescer_map.cc"}

root = pathlib.Path(sys.argv[1])
files = [f for room in ("ui", "cli", "report") for f in sorted((root / "app" / room).rglob("*")) if f.suffix in (".cc", ".h")]
assert len(files) > 100, "the rooms are elsewhere"
judges = [(f, n, line.strip()) for f in files if f.relative_to(root).as_posix() not in EXEMPT
          for n, line in enumerate(f.read_text().splitlines(), 1) if JUDGES.search(line)]
for f, n, line in judges:
    print(f"{f.relative_to(root)}:{n}: asks a model, not lab/access_cost.h: {line}")
sys.exit(bool(judges))
