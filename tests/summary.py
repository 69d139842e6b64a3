"""Counts the tests of the last 'meson test' in a build folder: one line, 'N passed, M failed'."""
import json
import re
import sys

passed = failed = skipped = 0
with open(f"{sys.argv[1]}/meson-logs/testlog.json", encoding="utf-8") as log:
    for line in log:
        run = json.loads(line)
        results = re.findall(r"^(not )?ok \d+(.*)$", run.get("stdout", ""), re.MULTILINE)
        skips = sum("# SKIP" in rest for _, rest in results)
        bad = sum(bool(negated) and "# SKIP" not in rest for negated, rest in results)
        passed += len(results) - bad - skips
        failed += bad
        skipped += skips
        if run["result"] not in ("OK", "SKIP") and not bad:
            failed += 1  # it died before it could say which test failed
            print(f"{run['name']}: {run['result']}")
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed or not passed else 0)
