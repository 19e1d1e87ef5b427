// The icon of each audience, the same in the composer and on posts.

import type { Visibility } from "../api/visibility.ts";
import type { IconName } from "./icons.tsx";

export const AUDIENCE_ICONS: Record<Visibility, IconName> = {
  public: "globe",
  unlisted: "moon",
  local: "home",
  private: "lock",
  local_followers: "people",
  circle: "list",
  direct: "at",
};
