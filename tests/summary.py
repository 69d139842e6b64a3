"""Counts the tests of the last 'meson test' in a build folder: one line, 'N passed, M failed'."""
import collections
import json
import re
import sys

passed = failed = skipped = 0
why = collections.Counter()
with open(f"{sys.argv[1]}/meson-logs/testlog.json", encoding="utf-8") as log:
    for line in log:
        run = json.loads(line)
        results = re.findall(r"^(not )?ok \d+(.*)$", run.get("stdout", ""), re.MULTILINE)
        reasons = [rest.split("# SKIP", 1)[1].strip() for _, rest in results if "# SKIP" in rest]
        why.update(reasons)
        skips = len(reasons)
        bad = sum(bool(negated) and "# SKIP" not in rest for negated, rest in results)
        passed += len(results) - bad - skips
        failed += bad
        skipped += skips
        if run["result"] not in ("OK", "SKIP") and not bad:
            failed += 1  # it died before it could say which test failed
            print(f"{run['name']}: {run['result']}")
for reason, count in why.most_common():
    print(f"{count} skipped: {reason}", file=sys.stderr)
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed or not passed else 0)
