// What the client says in German, a file for each area.

import base from "./base.json" with { type: "json" };
import accounts from "./accounts.json" with { type: "json" };
import posts from "./posts.json" with { type: "json" };
import compose from "./compose.json" with { type: "json" };
import people from "./people.json" with { type: "json" };
import notifications from "./notifications.json" with { type: "json" };
import titles from "./titles.json" with { type: "json" };
import settings from "./settings.json" with { type: "json" };
import drafts from "./drafts.json" with { type: "json" };
import explore from "./explore.json" with { type: "json" };
import groups from "./groups.json" with { type: "json" };

export default {
  ...base,
  ...accounts,
  ...posts,
  ...compose,
  ...people,
  ...notifications,
  ...titles,
  ...settings,
  ...drafts,
  ...explore,
  ...groups,
};
