#include "app/palette.h"

#include <algorithm>
#include <utility>

#include "app/actions.h"
#include "app/search_words.h"
#include "text/search.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr size_t kRecentOffers = 5;

Offer step_offer(const lab::Lab& lab, const lab::Step& step, std::string group) {
  return {"step:" + lab.id + "/" + step.id, lab.title + " › " + step.title, std::move(group), "",
          command::OpenStep{lab.id, step.id}};
}

// Collects entries that match the filter, and returns them best first.
class Fitting {
 public:
  explicit Fitting(const std::string& filter) : filter_(filter) {}
  void add(Offer offer, std::string_view also = {}, NameAt name = NameAt::kStart) {
    const std::string title = offer.title;
    add_named(title, std::move(offer), also, name);
  }
  // `name`: what the offer is looked for by, where its title says more.
  void add_named(const std::string& name, Offer offer, std::string_view also,
                 NameAt at = NameAt::kStart) {
    const std::string other = offer.group + " " + std::string(also);
    if (const std::optional<int> score = match(filter_, name, other, at))
      found_.emplace_back(*score, std::move(offer));
  }
  void take_into(std::vector<Offer>& out) {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [score, offer] : found_) out.push_back(std::move(offer));
  }

 private:
  const std::string& filter_;
  std::vector<std::pair<int, Offer>> found_;
};

void add_recent(const View& view, std::vector<Offer>& out) {
  for (const std::string& recent : view.settings->recent) {
    for (const lab::Lab& lab : view.labs->labs) {
      for (const lab::Step& step : lab.steps) {
        const bool wanted = recent == lab.id + "/" + step.id && &step != view.session->step();
        if (wanted && out.size() < kRecentOffers)
          out.push_back(step_offer(lab, step, tr("Recent")));
      }
    }
  }
}

}  // namespace

std::vector<Offer> palette_offers(const View& view, const std::string& filter) {
  std::vector<Offer> out;
  if (filter.empty()) add_recent(view, out);
  Fitting fitting(filter);
  for (const Action& action : actions()) {
    fitting.add({action.id, std::string(tr(action.title)), std::string(tr(action.group)),
                 chord_label(action.chord), action.command},
                search_words(action.id),
                action.command.get_if<command::FocusPanel>() ? NameAt::kAnyWord : NameAt::kStart);
  }
  for (const auto& [id, name] : *view.languages) {
    fitting.add({"language:" + id, name, tr("Language"), "", command::SetLanguage{id}},
                search_words("language") + " " + id);
  }
  for (const models::GpuProfile& gpu : *view.gpus) {
    fitting.add({"gpu:" + gpu.id, tr("The maps for {}", gpu.name), tr("Maps"), "",
                 command::SelectGpu{gpu.id}},
                gpu.id);
    fitting.add({"second-gpu:" + gpu.id, tr("Compare with {}", gpu.name), tr("Maps"), "",
                 command::SelectSecondGpu{gpu.id}},
                gpu.id);
  }
  if (!filter.empty()) {
    for (const lab::Lab& lab : view.labs->labs) {
      for (const lab::Step& step : lab.steps) {
        // By its own title first: the lab's is in all of its steps. The id is in the names of the
        // step's files.
        fitting.add_named(step.title,
                          step_offer(lab, step, lab.own ? tr("Your own lab") : tr("Lab")),
                          lab.title + " › " + step.id + ".cu " + lab.id + "/" + step.id);
      }
    }
  }
  fitting.take_into(out);
  return out;
}

}  // namespace warpshop::ui
