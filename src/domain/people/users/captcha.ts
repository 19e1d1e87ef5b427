// Checks the answer to an hCaptcha. https://docs.hcaptcha.com/#verify-the-user-response-server-side

import type { App } from "../../../platform/app.ts";
import { Unavailable } from "../../../platform/errors.ts";
import { FetchFailed, FetchRefused } from "../../../platform/fetch/errors.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 10_000;

const away = () => new Unavailable("The captcha cannot be checked at the moment: try again later");

const ask = async (app: App, url: string, body: string): Promise<{ success?: unknown }> => {
  try {
    const answer = await app.fetch.request(url, {
      configured: true,
      timeoutMs: TIMEOUT_MS,
      maxBytes: 64 * 1024,
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body,
    });
    if (answer.status === 200) return JSON.parse(answer.body.toString("utf8"));
    app.log.warn({ status: answer.status }, "the captcha service refused");
  } catch (error) {
    const isAway = error instanceof FetchFailed || error instanceof FetchRefused;
    if (!isAway && !(error instanceof SyntaxError)) throw error;
    app.log.warn({ why: error.message }, "the captcha service cannot be reached");
  }
  throw away();
};

/** Returns true where none is configured; throws Unavailable while its service is unreachable. */
export const passesCaptcha = async (app: App, response: string): Promise<boolean> => {
  const { captcha } = app.config;
  if (captcha === null) return true;
  if (response === "" || response.length > MAX_ANSWER) return false;
  const { secret, siteKey: sitekey, verifyUrl } = captcha;
  const body = String(new URLSearchParams({ secret, sitekey, response }));
  return (await ask(app, verifyUrl, body)).success === true;
};
