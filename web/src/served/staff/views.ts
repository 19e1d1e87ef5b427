// The staff's views by name.

import type { FunctionComponent } from "preact";
import type { StaffPages } from "../staff-pages.ts";
import { Roles } from "./roles.tsx";
import { Rules } from "./rules.tsx";

export const STAFF_VIEWS: {
  [Name in keyof StaffPages]: FunctionComponent<{ data: StaffPages[Name] }>;
} = {
  roles: Roles,
  rules: Rules,
};
