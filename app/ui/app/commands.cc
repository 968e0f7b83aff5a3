#include "app/commands.h"

#include <tuple>

#include "app/any_command.h"

namespace warpshop::ui {

template <typename C>
std::shared_ptr<const AnyCommand> Command::make(C of) {
  return std::make_shared<const AnyCommand>(std::move(of));
}

// Taking the address of each make<C> instantiates it here.
template <typename... C>
struct CommandMakers<std::variant<C...>> {
  std::tuple<std::shared_ptr<const AnyCommand> (*)(C)...> of_each{&Command::make<C>...};
};

extern const CommandMakers<CommandVariant> kCommandMakers;
const CommandMakers<CommandVariant> kCommandMakers;

}  // namespace warpshop::ui
