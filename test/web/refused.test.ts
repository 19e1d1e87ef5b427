// A fold opens where a form within it was refused, whatever kind of part has the form.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Part } from "../../web/src/served/part-pages.ts";
import { isRefused } from "../../web/src/served/refused.ts";

const AT = "/admin/things/7/change";
const form = { action: AT };
const act = { action: AT, label: "staff.save" } as const;
const other = { action: "/admin/things" };

const PARTS: Record<string, Part> = {
  form: { form },
  "a button with an address of its own": {
    form: { ...other, submit: [{ label: "staff.save", to: AT }] },
  },
  "parts before the fields": { form: { ...other, before: [{ acts: [act] }] } },
  add: { add: { ...form, title: "staff.save" } },
  edit: { edit: form },
  "a fold in a fold": { fold: "staff.save", parts: [{ form }] },
  panel: { panel: [null, { form }] },
  beside: { beside: [{ form }], kind: "charts" },
  "buttons of a list": { rows: [{ acts: [act] }] },
  "a form of a list": { rows: [{ edit: form }] },
  "a form of a list, on demand": {
    rows: [{ id: "7", editOnDemand: { ...form, list: "/admin/things", hidden: { drawn: "" } } }],
  },
  acts: { acts: [act] },
  several: { several: { ...form, ids: [], all: "staff.save", buttons: [] } },
  steps: { steps: [{ title: "", done: false, parts: [{ form }] }] },
  notice: { notice: "", act },
  passkey: { passkey: "get", options: "{}", form },
};

test("every kind of part that can have the form that was refused", () => {
  const refused = { action: AT, fields: {}, faults: {} };
  for (const [kind, part] of Object.entries(PARTS)) {
    assert.equal(isRefused([part], refused), true, kind);
    assert.equal(isRefused([part], { ...refused, action: "/admin" }), false, kind);
    assert.equal(isRefused([part], undefined), false, kind);
  }
  // A search in a list has the address of the form that adds to it.
  assert.equal(isRefused([{ filters: { action: AT } }], refused), false);
});
