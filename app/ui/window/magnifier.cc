#include "window/magnifier.h"

#include <algorithm>
#include <array>

#include "imgui_internal.h"
#include "window/gl_fill.h"

namespace warpshop::ui {

void Magnifier::add_to(ImDrawData& frame, const Lens& lens) {
  list_ = std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData());
  ImDrawList& out = *list_;
  out._ResetForNewFrame();
  out.PushTexture(ImGui::GetIO().Fonts->TexRef);
  const auto larger = [&](ImVec2 p) {
    return ImVec2{lens.at.x + (p.x - lens.at.x) * lens.factor,
                  lens.at.y + (p.y - lens.at.y) * lens.factor};
  };
  const auto smaller = [&](ImVec2 p) {
    return ImVec2{lens.at.x + (p.x - lens.at.x) / lens.factor,
                  lens.at.y + (p.y - lens.at.y) / lens.factor};
  };
  const ImRect whole(lens.min, lens.max);
  // The area that the lens shows, before magnification.
  const ImRect seen(smaller(lens.min), smaller(lens.max));
  out.PushClipRect(lens.min, lens.max);
  out.AddRectFilled(lens.min, lens.max, lens.ground);
  out.PopClipRect();
  for (const ImDrawList* list : frame.CmdLists) {
    for (const ImDrawCmd& command : list->CmdBuffer) {
      if (const OpaqueFill* fill = fill_of(command)) {
        out.PushClipRect(lens.min, lens.max);
        out.AddRectFilled(larger({fill->x0, fill->y0}), larger({fill->x1, fill->y1}), fill->color);
        out.PopClipRect();
        continue;
      }
      if (command.UserCallback != nullptr) continue;
      ImRect clip(ImVec2{command.ClipRect.x, command.ClipRect.y},
                  ImVec2{command.ClipRect.z, command.ClipRect.w});
      if (!clip.Overlaps(seen)) continue;
      ImRect shown(larger(clip.Min), larger(clip.Max));
      shown.ClipWith(whole);
      out.PushClipRect(shown.Min, shown.Max);
      out.PushTexture(command.TexRef);
      clip.ClipWith(seen);
      const ImDrawIdx* index = list->IdxBuffer.Data + command.IdxOffset;
      const ImDrawVert* vertex = list->VtxBuffer.Data + command.VtxOffset;
      for (unsigned n = 0; n + 2 < command.ElemCount; n += 3) {
        const std::array<const ImDrawVert*, 3> corners{&vertex[index[n]], &vertex[index[n + 1]],
                                                       &vertex[index[n + 2]]};
        ImRect box(corners[0]->pos, corners[0]->pos);
        for (const ImDrawVert* corner : corners) box.Add(corner->pos);
        if (box.Max.x < clip.Min.x || box.Min.x > clip.Max.x || box.Max.y < clip.Min.y ||
            box.Min.y > clip.Max.y)
          continue;
        out.PrimReserve(3, 3);
        for (const ImDrawVert* corner : corners)
          out.PrimVtx(larger(corner->pos), corner->uv, corner->col);
      }
      out.PopTexture();
      out.PopClipRect();
    }
  }
  out.PushClipRect(lens.min, lens.max);
  const float half = lens.thickness / 2;
  out.AddRect({lens.min.x + half, lens.min.y + half}, {lens.max.x - half, lens.max.y - half},
              lens.border, 0, lens.thickness);
  out.PopClipRect();
  out.PopTexture();
  frame.AddDrawList(&out);
}

}  // namespace warpshop::ui
