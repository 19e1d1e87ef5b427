// Enter in a field presses the first button of its form. On every page that is the one that the form is for, or one
// that does nothing.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { parseDocument } from "htmlparser2";
import { createEmoji } from "../../src/domain/staff/moderation/server.ts";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";
import { setSetting } from "../../src/domain/base/settings/settings.ts";
import { loadBundle } from "../../src/pages/web/bundle.ts";
import { openBrowser } from "../browser.ts";
import { addresses, framedPaths, makeWholeVillage, VISITOR } from "../browser/pages.ts";
import { formOf, picture } from "../files.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";

type Element = { name: string; attribs: Record<string, string>; children: Element[] };

/** Returns the elements of a document in their order, each with the form around it. */
const elementsOf = (html: string): { element: Element; form: Element | null }[] => {
  const found: { element: Element; form: Element | null }[] = [];
  const walk = (element: Element, form: Element | null): void => {
    if (element.attribs) found.push({ element, form });
    const inner = element.name === "form" ? element : form;
    for (const child of element.children ?? []) walk(child, inner);
  };
  walk(parseDocument(html) as unknown as Element, null);
  return found;
};

const isSubmit = ({ name, attribs }: Element): boolean =>
  name === "button" && (attribs["type"] ?? "submit") === "submit";

const isField = ({ name, attribs }: Element): boolean =>
  name === "input" && attribs["type"] !== "hidden";

/** Whether it looks like the button that a form is for, or does nothing. */
const isMain = ({ attribs }: Element): boolean => {
  const kinds = (attribs["class"] ?? "").split(" ");
  const isOther = ["plain", "quiet", "bad"].some((kind) => kinds.includes(kind));
  return attribs["formmethod"] === "dialog" || (kinds.includes("button") && !isOther);
};

const describeButton = ({ attribs }: Element): string =>
  [attribs["class"], attribs["name"], attribs["value"], attribs["formaction"]].join(" ").trim();

/** Describes the forms in which Enter presses another button than the main one. */
const misled = (html: string): string[] => {
  const all = elementsOf(html);
  const forms = all.map(({ element }) => element).filter(({ name }) => name === "form");
  return forms.flatMap((form) => {
    const { id, action } = form.attribs;
    const own = all
      .filter(({ element, form: around }) => {
        const owner = element.attribs["form"];
        return owner === undefined ? around === form : owner === id;
      })
      .map(({ element }) => element);
    const submits = own.filter(isSubmit);
    if (submits.length < 2 || !own.some(isField) || isMain(submits[0]!)) return [];
    return [`${action}: ${submits.map(describeButton).join(" | ")}`];
  });
};

describe("Enter in a field", () => {
  let server: TestApp;
  let paths: string[];

  before(async () => {
    server = await startTestApp();
    const village = await makeWholeVillage(server);
    // What has buttons of its own while it is set, or there.
    await setSetting(server.app, "title", "Saltmarsh");
    await setSetting(server.app, "accent_color", "#336699");
    const square = await picture("png", 400, 400);
    const pictures = formOf(null, { avatar: square, header: square });
    await village.alice.patch("/api/v1/accounts/update_credentials", pictures).ok();
    await createEmoji(server.app, COMMAND_LINE, {
      shortcode: "rook",
      bytes: await picture("png", 64, 64),
      category: null,
      visible: true,
    });
    const { pagePaths } = await loadBundle();
    const framed = await framedPaths(server, village, pagePaths);
    paths = [...Object.values(addresses(village)), ...framed];
  });
  after(() => server.close());

  test("presses the main button of its form, on every page", async () => {
    const found: Record<string, string[]> = {};
    const [alice, visitor] = [openBrowser(server), openBrowser(server)];
    await alice.signIn("alice");
    for (const [browser, path] of [
      ...paths.map((path) => [alice, path] as const),
      ...VISITOR.map((path) => [visitor, path] as const),
    ]) {
      const forms = misled((await browser.get(path)).text);
      if (forms.length > 0) found[path] = forms;
    }
    assert.deepEqual(found, {});
  });
});
