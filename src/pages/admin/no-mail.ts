// Tells the staff that people who sign up wait for emails that are not sent.

import type { Part } from "../../../web/src/served/part-pages.ts";
import { mailFolder } from "../../platform/mail/index.ts";
import { registrationMode } from "../../domain/people/users/sign-up.ts";
import type { Staff } from "./frame.ts";
import { commandText } from "./components.ts";

/** Returns null while emails are sent, or nobody can sign up. */
export const noMailNotice = async ({ app }: Pick<Staff, "app">): Promise<Part | null> => {
  if (app.config.mail.server !== null || (await registrationMode(app)) === "closed") return null;
  return {
    kind: "bad",
    notice: {
      say: "staff.no_mail",
      with: {
        folder: { code: mailFolder(app.config) },
        variable: { code: "SMTP_SERVER" },
        setup: commandText("rookery setup"),
        command: commandText("rookery accounts modify NAME --confirm"),
      },
    },
  };
};
