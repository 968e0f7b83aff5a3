"""The magics %%warpshop and %warpshop."""

from __future__ import annotations

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from ._check import Check, check, labs, skeleton


@magics_class
class WarpshopMagics(Magics):
    """Checks a cell as an exercise's kernel."""

    shell: InteractiveShell

    @magic_arguments()
    @argument("place", nargs="?", help="the exercise: LAB/STEP, such as coalescing/stride")
    @argument("--gpu", default="h200", help="the GPU whose rules apply; default: h200")
    @argument("--predict", action="store_true", help="also predict times")
    @argument("--seed", type=int, default=0, help="shuffles the order of blocks and warps")
    @argument("--inputs", type=int, default=0, help="the seed of the random inputs; 0: the lab's own")
    @argument("--to", metavar="NAME", help="also keep the result in this variable")
    @line_cell_magic
    def warpshop(self, line: str, cell: str | None = None) -> Check | None:
        """Check the cell's kernel in an exercise, and show what it does.

        As a line, `%warpshop LAB/STEP` makes a cell with the text to start from; without a step it lists
        the exercises.
        """
        options = parse_argstring(self.warpshop, line)
        if cell is None:
            if "/" in (options.place or ""):
                self.shell.set_next_input(f"%%warpshop {line.strip()}\n{skeleton(options.place)}", replace=False)
            else:
                print(_listed(options.place))
            return None
        if not options.place:
            raise UsageError("expected an exercise, such as %%warpshop coalescing/stride; %warpshop lists them")
        if options.to and not options.to.isidentifier():
            raise UsageError(f"--to {options.to}: expected a variable's name")
        result = check(
            cell,
            options.place,
            gpu=options.gpu,
            predict=options.predict,
            seed=options.seed,
            inputs=options.inputs,
        )
        if options.to:
            self.shell.user_ns[options.to] = result
        return result


def _listed(lab: str | None) -> str:
    """Return the exercises, one line per lab, or those of one lab."""
    steps: dict[str, list[str]] = {}
    for place in labs():
        of, _, step = place.partition("/")
        steps.setdefault(of, []).append(step)
    if lab is None:
        return "\n".join(f"{of}: {', '.join(names)}" for of, names in steps.items())
    if lab not in steps:
        raise UsageError(f"there is no lab '{lab}' with exercises; the labs are {', '.join(steps)}")
    return "\n".join(f"{lab}/{step}" for step in steps[lab])


def register(shell: InteractiveShell) -> None:
    """Make the magics known to a shell."""
    shell.register_magics(WarpshopMagics)
