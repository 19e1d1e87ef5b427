// Calls every row of the REST API for moderators, as an owner of the server.

import { askRows } from "./ask-rows.ts";
import { ADMIN } from "./recipes-admin.ts";
import { ASKED } from "./rows.ts";

askRows(
  ASKED.filter(({ auth }) => auth === "admin"),
  ADMIN,
);
