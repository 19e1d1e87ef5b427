// Signing in by a directory in a browser, with and without scripts: from the button to a chosen handle, and a second
// way.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { CLIENT, startOidcServer } from "../oidc-server.ts";
import type { OidcServer } from "../oidc-server.ts";
import { startSamlServer } from "../saml-server.ts";
import type { SamlServer } from "../saml-server.ts";
import { BASE, READER, startSlapd, withoutSlapd } from "../slapd.ts";
import type { Slapd } from "../slapd.ts";
import { DESK, LOOKS, PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open as openPage, until } from "./until.ts";

const PICTURES = process.env["PICTURES"];

describe("signing in by a directory", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let city: OidcServer;
  let county: SamlServer;
  let slapd: Slapd | null = null;

  /** Variables of a directory whose passwords people sign in with, where there is a program for it. */
  const directory = async (): Promise<Record<string, string>> => {
    if (withoutSlapd) return {};
    slapd = await startSlapd();
    return {
      LDAP_ENABLED: "true",
      LDAP_DISPLAY_NAME: "Town hall",
      LDAP_HOST: "localhost",
      LDAP_PORT: String(slapd.tlsPort),
      LDAP_TLS_CA_FILE: slapd.certificatePath,
      LDAP_BASE: BASE,
      LDAP_BIND_DN: READER.dn,
      LDAP_PASSWORD: READER.password,
      LDAP_UID: "uid",
    };
  };

  before(async () => {
    city = await startOidcServer();
    county = await startSamlServer();
    server = await startTestApp({
      env: {
        OIDC_ENABLED: "true",
        OIDC_DISPLAY_NAME: "City of Rookery",
        OIDC_ISSUER: city.issuer,
        OIDC_CLIENT_ID: CLIENT.id,
        OIDC_CLIENT_SECRET: CLIENT.secret,
        SAML_ENABLED: "true",
        SAML_DISPLAY_NAME: "County",
        SAML_IDP_ENTITY_ID: county.entityId,
        SAML_IDP_METADATA: `${county.origin}/metadata`,
        SAML_SECURITY_ASSUME_EMAIL_IS_VERIFIED: "true",
        ...(await directory()),
      },
    });
    city.register(server.url, [`${server.url}/auth/auth/openid_connect/callback`]);
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await city.close();
    await county.close();
    await slapd?.close();
    await server.close();
  });

  /** The directory is another host on purpose. */
  const ELSEWHERE = /^a request to another host/;

  const open = async (page: Page, path: string, scripts = true): Promise<void> => {
    if (scripts) await openPage(page, path);
    else await page.goto(path);
  };

  const look = async (page: Page, name: string): Promise<void> => {
    assert.equal(await page.evaluate(OVERFLOW), "", name);
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/sso-${name}.png`, fullPage: true });
  };

  const signInThere = async (page: Page, who: string): Promise<void> => {
    await page.getByLabel("Name").fill(who);
    await page.getByRole("button", { name: "Sign in" }).click();
  };

  for (const [what, size, scripts] of [
    ["on a desk", DESK, true],
    ["on a phone without scripts", PHONE, false],
  ] as const)
    test(`a newcomer gets in ${what}`, async (t) => {
      const who = scripts ? "dana" : "emil";
      const email = `${who}@city.example`;
      city.people.set(who, { email, email_verified: true, preferred_username: who });
      const { page, allow } = await browser.visit(t, { size, scripts, apart: true });
      allow(ELSEWHERE);
      await open(page, "/auth/sign_in", scripts);
      await look(page, `sign-in-${size.width}`);
      await page.getByRole("button", { name: /Continue with City of Rookery/ }).click();
      await signInThere(page, who);
      await page.getByRole("heading", { name: "Choose your username" }).waitFor();
      await look(page, `new-${size.width}`);
      assert.equal(await page.getByLabel("Username").inputValue(), who);
      await page.getByRole("checkbox").check();
      await page.getByRole("button", { name: "Create account" }).click();
      await page.waitForURL(/\/welcome/);
      await open(page, "/settings/ways", scripts);
      await page.getByText(email).waitFor();
      await look(page, `ways-${size.width}`);
      await open(page, "/settings", scripts);
      await page.getByRole("button", { name: "Sign out" }).first().click();
      await page.getByRole("link", { name: "Sign out of City of Rookery too" }).waitFor();
      await look(page, `signed-out-${size.width}`);
    });

  for (const { size, dark } of LOOKS)
    test(`an owner is told why a provider cannot be added at ${size.width}`, async (t) => {
      if (!(await server.app.sql`SELECT FROM users WHERE role_id = 3`).length)
        await server.person("boss", { role: "Owner" });
      const { page, allow } = await browser.visit(t, { who: "boss", size, dark });
      allow(/422/);
      await open(page, "/admin/settings/sign-in");
      await look(page, `staff-${size.width}`);
      await page.getByText("Add provider").first().click();
      await page.getByLabel("Name on the button").fill("Village");
      await page.getByLabel("Issuer").fill("http://127.0.0.1:1");
      await page.getByLabel("Client ID").fill("rookery");
      await look(page, `staff-add-${size.width}`);
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page
        .getByText(/127\.0\.0\.1:1 doesn’t respond/)
        .first()
        .waitFor();
      await look(page, `staff-refused-${size.width}`);
      assert.equal(await page.getByLabel("Client ID").inputValue(), "rookery");
      await open(page, "/admin/settings/sign-in");
      await page
        .getByRole("button", { name: / SCIM token/ })
        .first()
        .click();
      await page.getByText(/shown only once/).waitFor();
      await page.getByText(`${server.url}/scim/v2`).waitFor();
      await look(page, `scim-${size.width}`);
      await open(page, "/admin/settings/sign-in");
      await page.getByRole("button", { name: /^Try/ }).first().click();
      // The page goes on from what was done.
      await until(
        page,
        `/answers as it should/.test(document.activeElement.textContent) &&
        document.activeElement.classList.contains("notice")`,
      );
      await page.getByRole("button", { name: /End SCIM token/ }).waitFor();
      await look(page, `staff-told-${size.width}`);
      const isSqueezed = `[...document.querySelectorAll(".rows > li")].some(
        (row) => row.querySelector(".what").offsetWidth < row.offsetWidth / 2)`;
      assert.equal(await page.evaluate(isSqueezed), false);
    });

  test("somebody with a password adds the directory", async (t) => {
    await server.person("fern");
    city.people.set("fern", { email: "fern@city.example", email_verified: true });
    const { page, allow } = await browser.visit(t, { who: "fern", size: PHONE });
    allow(ELSEWHERE);
    await open(page, "/settings/ways");
    await look(page, "ways-before-390");
    await page.getByRole("link", { name: /Add .*City of Rookery/ }).click();
    await page.getByLabel("Current password").fill("correct horse");
    await look(page, "add-390");
    await page.getByRole("button", { name: /Add .*City of Rookery/ }).click();
    await signInThere(page, "fern");
    await page.getByText("You can now sign in this way, too.").waitFor();
    await look(page, "added-390");
  });

  for (const [what, size, dark, scripts] of [
    ["on a desk", DESK, false, true],
    ["on a phone without scripts, in the dark", PHONE, true, false],
  ] as const)
    test(
      `the form takes the passwords of a directory ${what}`,
      { skip: withoutSlapd },
      async (t) => {
        const who = scripts ? "gerd" : "hanna";
        await slapd!.addPerson(who);
        const { page, allow } = await browser.visit(t, { size, scripts, dark, apart: true });
        allow(/422/);
        const send = async (password: string): Promise<void> => {
          await page.getByLabel("Email address or username").fill(who);
          await page.getByLabel("Password").fill(password);
          await page.getByRole("button", { name: "Sign in", exact: true }).click();
        };
        await open(page, "/auth/sign_in", scripts);
        await send("wrong");
        await page.getByText("Incorrect email address, username or password.").waitFor();
        await look(page, `directory-wrong-${size.width}`);
        await send(`${who}'s password`);
        await page.getByRole("heading", { name: "Choose your username" }).waitFor();
        await page.getByText("Town hall").first().waitFor();
        await look(page, `directory-new-${size.width}`);
      },
    );

  test(
    "somebody with a password adds a directory of passwords",
    { skip: withoutSlapd },
    async (t) => {
      await server.person("ines");
      await slapd!.addPerson("ines");
      const { page, allow } = await browser.visit(t, { who: "ines", size: PHONE });
      allow(/422/);
      await open(page, "/settings/ways");
      await page.getByRole("link", { name: /Add .*Town hall/ }).click();
      const send = async (password: string): Promise<void> => {
        await page.getByLabel(/Name or email address at/).fill("ines");
        await page.getByLabel(/Password at/).fill(password);
        await page.getByLabel("Current password").fill("correct horse");
        await look(page, "directory-add-390");
        await page.getByRole("button", { name: /Add .*Town hall/ }).click();
      };
      await send("wrong");
      await page.getByText("Incorrect email address, username or password.").waitFor();
      await look(page, "directory-refused-390");
      await send("ines's password");
      await page.getByText("You can now sign in this way, too.").waitFor();
      await look(page, "directory-added-390");
    },
  );

  // The form of another site brings the answer without cookies, and the request after it has them.
  for (const [what, size, dark, scripts] of [
    ["on a desk", DESK, false, true],
    ["on a phone without scripts, in the dark", PHONE, true, false],
  ] as const)
    test(`a provider of SAML leads in, and out again ${what}`, async (t) => {
      const who = scripts ? "jon" : "kai";
      county.add(who, { displayName: who });
      const { page, allow } = await browser.visit(t, { size, scripts, dark, apart: true });
      allow(ELSEWHERE);
      const signIn = async (): Promise<void> => {
        await page.getByRole("button", { name: "Continue with County" }).click();
        await signInThere(page, who);
        await page.getByRole("button", { name: "Go on" }).click();
      };
      await open(page, "/auth/sign_in", scripts);
      await signIn();
      await page.getByRole("heading", { name: "Choose your username" }).waitFor();
      await look(page, `saml-new-${size.width}`);
      assert.equal(await page.getByLabel("Username").inputValue(), who);
      await page.getByRole("checkbox").check();
      await page.getByRole("button", { name: "Create account" }).click();
      await page.waitForURL(/\/welcome/);
      await open(page, "/settings/ways", scripts);
      await page.getByText(`${who}@city.example`).waitFor();
      await look(page, `saml-ways-${size.width}`);
      await open(page, "/auth/sign_in?force=1", scripts);
      await look(page, `saml-sign-in-${size.width}`);
      await signIn();
      await page.waitForURL(/\/(?:home|welcome)/);
    });
});
