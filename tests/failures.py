#!/usr/bin/env python3
"""The failed tests of a run of ctest, each with the end of what it printed, so that a log's last page says why.

usage: failures.py JUNIT_XML [LINES]
"""
import sys
import xml.etree.ElementTree as xml


def main():
    path = sys.argv[1]
    lines = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    for test in xml.parse(path).getroot().iter("testcase"):
        if test.get("status") != "fail":
            continue
        output = (test.findtext("system-out") or "").rstrip().splitlines()
        print(f"== failed: {test.get('name')}, {float(test.get('time')):.0f} s")
        if len(output) > lines:
            print(f"   ({len(output) - lines} lines before these)")
        print("\n".join(output[-lines:]))


main()
