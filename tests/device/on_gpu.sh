#!/usr/bin/env bash
# Runs all measurements on a real GPU:   on_gpu.sh PROGRAM DATA OUT [PART]...
# Writes to OUT gpu.txt, log and, for each part:
#   warm       warm.json: how long a worker takes to its first results
#   times      times.json: the transposes through the worker
#   under_ncu  ncu-CASE.csv: the same launches under Nsight Compute, to compare with times.json
#   labs       labs.json: every worked solution through the worker and, at the sizes for times, the
#              untouched starts as well; counters.json: the GPU's counters for the solutions
#   profile    this-gpu.toml: the profile written for this GPU, and times predicted with it
#   bits       emulator.json, gpu-spec.json: buffers of the same launches on both
#   cases      cases.json: tests/hardware/cases
#   proof      proof.csv: every kernel of the labs' proof graded, passing ones on the GPU as well
set -uo pipefail
program=$(realpath "$1") data=$(realpath "$2") out=$3
shift 3
parts=${*:-warm times labs profile bits cases under_ncu proof}
here=$(dirname "$(realpath "$0")")
mkdir -p "$out"
export WARPSHOP_DATA=$data
cases=$data/tests/hardware/timing/cases.json
only='^(copy|transpose)-.*-8192'
date -u +%FT%TZ
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,temperature.gpu,power.draw \
  --format=csv | tee "$out/gpu.txt"

warm() { python3 "$here/warm_worker.py" "$out/warm.json" "$program" worker; }

times() { "$program" run --spec "$cases" --only "$only" --device cuda --out "$out/times.json"; }

proof() {
  local class=$out/proof
  python3 "$here/proof_class.py" make "$program" "$data" "$class" || return
  "$program" grade "$class" --out "$out/proof-grades" --device cuda >"$out/proof.log" 2>&1
  cp "$out/proof-grades/grades.csv" "$out/proof.csv"
  python3 "$here/proof_class.py" check "$class" "$out/proof.csv"
}

# One process per case: the profiler keeps copies of all memory that each case touches. For large
# cases this takes most of a second per launch, so of f64 only the cold launches are profiled.
under_ncu() {
  local name launches
  command -v ncu >/dev/null || { echo "there is no ncu here"; return; }
  for name in copy-f{32,64}-8192-pad1 transpose-{naive,gather,diagonal}-f{32,64}-8192-pad1 \
    transpose-tiled-f{32,64}-8192-pad{0,1}; do
    launches=65
    case $name in *f64*) launches=25 ;; esac
    timeout 150 ncu --target-processes all --launch-count "$launches" --clock-control none \
      --cache-control none --csv --page raw --metrics gpu__time_duration.sum \
      --kernel-name 'regex:^k_' --log-file "$out/ncu-$name.csv" "$program" run --spec "$cases" \
      --only "^$name\$" --time-limit 120 --device cuda --out "$out/under-ncu.json" >"$out/ncu.out" 2>&1 ||
      echo "ncu of $name: $?"
  done
  python3 "$here/ncu_summary.py" "$out"
}

# Predictions need no GPU, so they run on the CPU in the meantime.
labs() {
  local lab text profile=h200
  grep -q H100 "$out/gpu.txt" && profile=h100
  for lab in "$data"/labs/*/; do
    lab=$(basename "$lab")
    for text in solution start; do
      nice "$program" check "$lab" --$text --predict --gpu "$profile" --device emulator --json \
        >"$out/predicted-$text-$lab.json" 2>/dev/null &
    done
  done
  for lab in "$data"/labs/*/; do
    lab=$(basename "$lab")
    "$program" check "$lab" --solution --device cuda --json >"$out/lab-solution-$lab.json" || echo "$lab: $?"
    "$program" check "$lab" --start --device cuda --json >"$out/lab-start-$lab.json"  # most fail a check: they are starts
  done
  wait $(jobs -p)
  python3 "$here/labs_summary.py" "$out"
  python3 "$here/counters_summary.py" "$out"
}

# Predicts the same exercises with the shipped profile and with the one written here.
profile() {
  local lab shipped=h200
  grep -q H100 "$out/gpu.txt" && shipped=h100
  "$program" gpus --write "$out/this-gpu.toml" --device cuda || return
  "$program" gpus "$out/this-gpu.toml" "$shipped" >"$out/profiles.txt"
  for lab in coalescing tiling occupancy; do
    "$program" check "$lab" --solution --predict --gpu "$out/this-gpu.toml" --device cuda --json \
      >"$out/profile-own-$lab.json" &
    "$program" check "$lab" --solution --predict --gpu "$shipped" --device emulator --json \
      >"$out/profile-shipped-$lab.json" &
  done
  wait $(jobs -p)
  python3 - "$out" <<'END'
import json, pathlib, statistics, sys
out = pathlib.Path(sys.argv[1])
for file in sorted(out.glob("profile-own-*.json")):
    own = json.loads(file.read_text())
    shipped = json.loads((out / file.name.replace("own", "shipped")).read_text())
    errors, apart = [], []
    for a, b in zip(own["runs"], shipped["runs"]):
        for x, y in zip(a["sizes"], b["sizes"]):
            error = x["measured"].get("student_prediction_error")
            errors += [abs(error)] if error is not None else []
            p, q = (k["student"]["prediction"] for k in (x, y))
            apart.append(abs((p["time_us"] - p["launch_us"]) / (q["time_us"] - q["launch_us"]) - 1))
    print(f"{own['lab']}: {len(errors)} predictions with the written profile, median error "
          f"{statistics.median(errors):.1%}; {statistics.median(apart):.1%} apart from the shipped one's")
END
}

bits() {
  [ -f "$out/spec/cases.json" ] || python3 "$here/labs_spec.py" "$program" "$data" "$out/spec"
  [ -f "$out/emulator.json" ] ||
    "$program" run --spec "$out/spec/cases.json" --device emulator --out "$out/emulator.json"
  "$program" run --spec "$out/spec/cases.json" --device cuda --out "$out/gpu-spec.json"
  python3 "$here/labs_spec.py" compare "$out/emulator.json" "$out/gpu-spec.json"
}

cases() {
  local truth=$data/tests/hardware/cases
  "$program" run --spec "$truth/cases.json" --device cuda --out "$out/cases.json"
  python3 - "$out/cases.json" "$truth/truth.json" <<'END'
import json, sys
ours, truth = ({c["name"]: c for c in json.load(open(f))} for f in sys.argv[1:])
equal = sum(ours[n]["buffers"] == truth[n]["buffers"] for n in truth)
print(f"hardware cases: buffers of {equal} of {len(truth)} are those of the truth")
END
}

for part in $parts; do
  echo "== $part"
  begin=$SECONDS
  "$part"
  echo "$part: $((SECONDS - begin)) s"
done 2>&1 | tee "$out/log"
