// Which texts are e-mail addresses; sign-up-routes.test.ts has more that are not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isEmailAddress } from "./email-address.ts";

const sentFrom = (from: string) => ({ mail: { from } }) as Parameters<typeof isEmailAddress>[1];

test("a host without a dot is refused, unless the server sends its mails from there", () => {
  const outside = sentFrom("Mill <notifications@mill.example>");
  const inside = sentFrom("Mill <notifications@mailhost>");
  assert.ok(isEmailAddress("ada@mill.example", outside));
  assert.ok(isEmailAddress("ada@xn--mhle-0ra.example", inside));
  for (const [address, config] of [
    ["carl@x", outside],
    ["carl@x", inside],
    ["carl@mailhost", outside],
    ["carl", inside],
  ] as const)
    assert.ok(!isEmailAddress(address, config), address);
  assert.ok(isEmailAddress("carl@MailHost", inside));
});
