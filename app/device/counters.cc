#include "counters.h"

#include "device/counter_metrics.h"
#include "helper_kernels.h"

namespace warpshop::device {
namespace {

// Current chips need seven.
constexpr int kMostPasses = 100;

constexpr const char* kRangeName = "kernel";

}  // namespace

CounterReader::~CounterReader() {
  disable();
  if (host_ == nullptr) return;
  CuptiHostOnly close{.host = host_};
  cupti_->close_host(&close);
}

Status CounterReader::prepare() {
  if (prepared_) return problems_.empty() ? success() : Status(problems_);
  prepared_ = true;
  Status status = success();
  Result<std::shared_ptr<const Cupti>> cupti = Cupti::load(gpu_.compiler_path());
  if (cupti.ok()) {
    cupti_ = *cupti;
    status = choose_metrics();
    if (status.ok()) status = make_config();
  } else {
    status = cupti.errors();
  }
  if (!status.ok()) problems_ = status.errors();
  return status;
}

// Opens CUPTI's data for this chip. This is where missing permission shows: the list of available
// counters is refused to users who may not read them.
Status CounterReader::choose_metrics() {
  CuptiInitialize initialize;
  Status status = cupti_->check(cupti_->initialize(&initialize), sentence("starting CUPTI"));
  CuptiChipName chip{.device = static_cast<size_t>(gpu_.info().index)};
  if (status.ok()) status = cupti_->check(cupti_->chip_name(&chip), sentence("querying the chip"));
  CuptiAvailability available{.context = gpu_.context()};
  if (status.ok()) {
    status = cupti_->check(cupti_->availability(&available), sentence("querying the counters"));
  }
  if (!status.ok()) return status;
  available_.resize(available.image_size);
  available.image = available_.data();
  status = cupti_->check(cupti_->availability(&available), sentence("querying the counters"));
  if (!status.ok()) return status;
  CuptiHostInitialize host{.chip = chip.name, .availability = available_.data()};
  status = cupti_->check(cupti_->open_host(&host), sentence("opening the counters"));
  if (!status.ok()) return status;
  host_ = host.host;
  for (const CounterMetric& row : counter_metrics()) {
    if (!row.read_on_gpu) continue;
    for (const char* name : row.metrics) {
      CuptiMetricProperties properties{.host = host_, .metric = name};
      if (cupti_->metric(&properties) != 0) continue;
      metrics_.push_back({row.counter, row.unit, name});
      names_.push_back(name);
      break;
    }
  }
  if (!metrics_.empty()) return success();
  return make_error("gpu-counters",
                    not_read(sentence("CUPTI has no counters for {chip}", {{"chip", chip.name}})));
}

Status CounterReader::make_config() {
  CuptiAddMetrics add{.host = host_, .metrics = names_.data(), .count = names_.size()};
  Status status = cupti_->check(cupti_->add_metrics(&add), sentence("choosing counters"));
  CuptiConfigSize size{.host = host_};
  if (status.ok())
    status = cupti_->check(cupti_->config_size(&size), sentence("choosing counters"));
  if (!status.ok()) return status;
  config_.resize(size.image_size);
  CuptiConfigImage config{.host = host_, .image_size = config_.size(), .image = config_.data()};
  return cupti_->check(cupti_->config_image(&config), sentence("choosing counters"));
}

Status CounterReader::enable() {
  CuptiEnable enable{.context = gpu_.context()};
  Status status = cupti_->check(cupti_->enable(&enable), sentence("turning the counters on"));
  if (!status.ok()) return status;
  ranges_ = enable.ranges;
  CuptiDataSize size{.ranges = ranges_, .metrics = names_.data(), .count = names_.size()};
  status = cupti_->check(cupti_->data_size(&size), sentence("allocating counter memory"));
  if (!status.ok()) return status;
  data_.assign(size.image_size, 0);
  CuptiDataInitialize data{.ranges = ranges_, .image_size = data_.size(), .image = data_.data()};
  status = cupti_->check(cupti_->initialize_data(&data), sentence("allocating counter memory"));
  if (!status.ok()) return status;
  CuptiSetConfig config{.ranges = ranges_,
                        .config_size = config_.size(),
                        .config = config_.data(),
                        .data_size = data_.size(),
                        .data = data_.data()};
  return cupti_->check(cupti_->set_config(&config), sentence("configuring the counters"));
}

// Profiled contexts are slower, so nothing is timed while the counters are on.
void CounterReader::disable() {
  if (ranges_ == nullptr) return;
  CuptiRangesOnly off{.ranges = ranges_};
  cupti_->disable(&off);
  ranges_ = nullptr;
}

Result<CounterReading> CounterReader::read(JobBuffers& buffers, const Kernel& kernel) {
  CounterReading out;
  Status counting = prepare();
  if (counting.ok()) counting = enable();
  bool all = false;
  for (int pass = 0; counting.ok() && !all; ++pass) {
    Status launched = buffers.fill(kPoison[0]);
    if (launched.ok()) launched = gpu_.sweep_l2();
    if (launched.ok()) launched = gpu_.wait(sentence("filling the buffers"));
    CuptiRangesOnly at{.ranges = ranges_};
    if (launched.ok()) counting = cupti_->check(cupti_->start(&at), sentence("starting a pass"));
    CuptiPush push{.ranges = ranges_, .name = kRangeName};
    if (launched.ok() && counting.ok())
      counting = cupti_->check(cupti_->push(&push), sentence("starting a pass"));
    if (launched.ok() && counting.ok()) {
      launched = gpu_.start(kernel, buffers.arguments());
      if (launched.ok()) launched = gpu_.wait(sentence("running the kernel for its counters"));
    }
    if (!launched.ok()) {
      if (!gpu_.lost())
        disable();  // a lost context cannot be turned off
      else
        ranges_ = nullptr;
      return launched.errors();
    }
    if (counting.ok()) counting = cupti_->check(cupti_->pop(&at), sentence("ending a pass"));
    CuptiStop stop{.ranges = ranges_};
    if (counting.ok()) counting = cupti_->check(cupti_->stop(&stop), sentence("ending a pass"));
    all = stop.all_passes != 0;
    if (counting.ok() && !all && pass + 1 == kMostPasses) {
      counting = make_error(
          "gpu-counters",
          not_read(sentence("CUPTI requires more than {most} launches", {{"most", kMostPasses}})));
    }
  }
  std::vector<double> values(names_.size());
  CuptiDecode decode{.ranges = ranges_};
  if (counting.ok())
    counting = cupti_->check(cupti_->decode(&decode), sentence("reading the counters"));
  CuptiEvaluate evaluate{.host = host_,
                         .image = data_.data(),
                         .image_size = data_.size(),
                         .metrics = names_.data(),
                         .count = names_.size(),
                         .values = values.data()};
  if (counting.ok())
    counting = cupti_->check(cupti_->evaluate(&evaluate), sentence("reading the counters"));
  disable();
  if (!counting.ok()) {
    out.problems = counting.errors();
    for (Diagnostic& problem : out.problems) problem.severity = Severity::kNote;
    return out;
  }
  for (size_t i = 0; i < metrics_.size(); ++i) {
    out.values.push_back({metrics_[i].name, metrics_[i].unit, metrics_[i].metric, values[i]});
  }
  return out;
}

}  // namespace warpshop::device
