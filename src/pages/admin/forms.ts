// Forms of the pages for the staff: what they do, what is shown again where they are refused, and the page that asks
// before an act that takes something away (confirmations.ts).

import { randomUUID } from "node:crypto";
import type { FastifyReply } from "fastify";
import type { App } from "../../platform/app.ts";
import { markOf } from "../../platform/drawn.ts";
import { orNotFound } from "../../platform/errors.ts";
import { uploads } from "../../platform/http/body.ts";
import type { Server } from "../../platform/http/server.ts";
import type { Key } from "../../platform/text/texts.ts";
import type { Act } from "../../domain/base/roles/acts.ts";
import { readTexts } from "../../domain/people/oauth/parameters.ts";
import type { Actor } from "../../domain/base/roles/permissions.ts";
import { DONE_SENTENCES, goTo, refusalOf } from "../../domain/people/users/pages/components.ts";
import { entered, idOf, sendAdmin, staffPage } from "./frame.ts";
import { ASKED, keepQuestion, keptQuestion } from "./kept-questions.ts";
import type { Sent } from "./kept-questions.ts";
import type { Handler, Show, Staff } from "./frame.ts";
import { CONFIRMATIONS } from "./confirmations.ts";
import { ANY } from "./sections.ts";
import { LOSSES, wordOf } from "./confirmation.ts";
import type { Confirmation } from "./confirmation.ts";

/** Field of the state that a form was drawn with (platform/drawn.ts). */
const DRAWN = "drawn";

/**
 * Returns where the form of a record is sent, with the record's mark. A form that is shown again keeps that of before,
 * unless it was refused because of it: then it says what is saved now, and may replace that.
 */
export const drawnWith = (staff: Staff, action: string, record: unknown) => {
  const { refused, request } = staff;
  const sent = refused?.sent ?? { action: request.url.split("?")[0], fields: entered(staff) };
  const isKept = refused !== undefined && !refused.isStale && sent.action === action;
  const mark = (isKept && readTexts(sent.fields)[DRAWN]) || markOf(record);
  return { action, hidden: { [DRAWN]: mark } } as const;
};

/** Returns the mark that the form was sent with. */
export const drawnIn = (staff: Staff): string | undefined => entered(staff)[DRAWN];

const CONFIRMED = "confirmed";
const WORD = "confirmed_word";

const plain = (text: string): string =>
  text
    .trim()
    .replace(/^[@:]|:$/g, "")
    .toLowerCase();

/** A question as it is kept until it is answered. */
type Asked = Unanswered & Sent & { back: string };

const sendQuestion = (staff: Staff, { question, action, back, fields }: Asked) => {
  const { title, lines, label, act } = question;
  const word = wordOf(question);
  const takes = LOSSES[act] !== "nothing";
  const field = { name: WORD, autocomplete: "off", autofocus: true, max: 300 } as const;
  return sendAdmin(staff, {
    title: { plain: title },
    back,
    at: action,
    parts: [
      {
        kind: "question",
        panel: [
          { items: lines },
          {
            form: {
              action,
              hidden: { [CONFIRMED]: "1", ...fields },
              fields: [word !== undefined && { ...field, label: ["staff.type_word", { word }] }],
              submit: [
                {
                  label: "staff.go_back",
                  kind: "plain",
                  link: back,
                  autofocus: takes && word === undefined,
                },
                { label: { plain: label }, kind: takes ? "bad" : "", autofocus: !takes },
              ],
            },
          },
        ],
      },
    ],
  });
};

const QUESTION = "/admin/question";

/** Returns where the form was sent from, which shows again what was entered. */
const backFrom = ({ app, request }: Staff, id: string): string => {
  const { pathname, searchParams } = new URL(
    request.headers.referer ?? "/admin",
    app.config.site.origin,
  );
  searchParams.delete("done");
  searchParams.set(ASKED, id);
  return `${pathname}?${searchParams}`;
};

/**
 * Leads to a page that asks: a browser that is led back to the response to a form asks to send the form again, or shows
 * an error. A question that was answered wrongly is asked where the form was sent to, as any form that is refused.
 */
const ask = async (staff: Staff, { question, refused }: Unanswered) => {
  const { [CONFIRMED]: _yes, [WORD]: _typed, form_token: _token, ...fields } = entered(staff);
  const { url, headers } = staff.request;
  const record = { question, action: url.split("?")[0]!, fields };
  if (refused) {
    const back = headers.referer ?? "/admin";
    return sendQuestion({ ...staff, refused }, { ...record, back });
  }
  const id = randomUUID();
  await keepQuestion(staff, id, { ...record, back: backFrom(staff, id) });
  return goTo(staff.reply, `${QUESTION}/${id}`);
};

export const questionPage = (pages: Server, app: App): void => {
  const show: Show = async (staff) => {
    const { id } = staff.request.params as { id: string };
    const kept = orNotFound(await keptQuestion<Asked>(staff, id));
    return sendQuestion(staff, kept);
  };
  pages.get(`${QUESTION}/:id`, staffPage(app, ANY, show));
};

type Unanswered = { question: Confirmation } & Pick<Staff, "refused">;

/**
 * Returns the question to ask; null if there is none, or it was answered. It is wrapped, because awaiting a reply would
 * wait for the response.
 */
const unanswered = async (staff: Staff): Promise<Unanswered | null> => {
  const question = await CONFIRMATIONS[staff.request.routeOptions.url ?? ""]?.(staff);
  if (!question) return null;
  const { [CONFIRMED]: confirmed, [WORD]: typed = "" } = entered(staff);
  if (confirmed !== "1") return { question };
  const word = wordOf(question);
  if (word === undefined || plain(typed) === plain(word)) return null;
  const problem = staff.t("staff.check_fields");
  const faults = { [WORD]: staff.t("confirm.captcha_wrong") };
  return { question, refused: { status: 422, problem, faults } };
};

/**
 * Handles a form. `work` returns the path to go to, or sends a page itself; a refusal with a sentence is shown on the
 * page again, with what was entered; one that names no field is about `field`, or the whole form.
 */
export const staffForm = (
  app: App,
  acts: readonly Act[],
  work: (staff: Staff) => Promise<string | FastifyReply>,
  show: Show,
  field?: string,
): Handler =>
  staffPage(app, acts, async (staff) => {
    try {
      const asking = await unanswered(staff);
      if (asking) return await ask(staff, asking);
      const next = await work(staff);
      return typeof next === "string" ? goTo(staff.reply, next) : next;
    } catch (error) {
      const refused = refusalOf(staff, error, field);
      const problem = refused.problem ?? staff.t("staff.check_fields");
      return show({ ...staff, refused: { ...refused, problem } });
    }
  });

/**
 * `done`: a sentence about what the form did. `file`: the field of a file, which refusals without a field are about.
 */
type Take = (path: string, done: Key, work: Work, file?: string) => void;

type Work = (staff: Staff) => Promise<unknown>;

/** Makes the work of a form from a command and what it takes of the form, with the mark that the form was sent with. */
export const carryOut =
  <Input>(
    command: (app: App, actor: Actor, input: Input, mark?: string) => Promise<unknown>,
    read: (staff: Staff) => Input | Promise<Input>,
  ): Work =>
  async (staff) =>
    command(staff.app, staff.actor, await read(staff), drawnIn(staff));

/** The same for an entry, which the path names; `read` returns what else the command takes. */
export const onEntry =
  <Input>(
    command: (app: App, actor: Actor, id: string, input: Input, mark?: string) => Promise<unknown>,
    read: (staff: Staff) => Input = () => undefined as Input,
  ): Work =>
  async (staff) =>
    command(staff.app, staff.actor, idOf(staff), read(staff), drawnIn(staff));

type Home = string | ((staff: Staff) => string);

/** Adds forms of one page, which redirect back to it with a sentence about what was done. */
export const formsOf =
  (pages: Server, app: App, home: Home, acts: readonly Act[], show: Show): Take =>
  (path, done, work, file) => {
    DONE_SENTENCES.add(done);
    const follow = async (staff: Staff) => {
      await work(staff);
      return `${typeof home === "string" ? home : home(staff)}?done=${done}`;
    };
    const taken = file === undefined ? {} : { config: uploads(1) };
    pages.post(path, taken, staffForm(app, acts, follow, show, file));
  };

type PageOf = { path: string; read: readonly Act[]; write?: readonly Act[]; show: Show };

/** Makes a page of the staff with its forms, which are named by the rest of their path; `write` defaults to `read`. */
export const pageWithForms =
  ({ path, read, write = read, show }: PageOf, forms: readonly Readonly<Parameters<Take>>[]) =>
  (pages: Server, app: App): void => {
    pages.get(path, staffPage(app, read, show));
    const take = formsOf(pages, app, path, write, show);
    for (const [rest, ...form] of forms) take(`${path}${rest}`, ...form);
  };
