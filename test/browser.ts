// A browser without scripts, for tests of the pages: stores cookies, fills in and submits forms.

import type { Answer, RequestOptions, TestApp } from "./harness.ts";

export type Browser = {
  cookies: Map<string, string>;
  get(path: string): Promise<Answer>;
  post(path: string, form: Record<string, string>): Promise<Answer>;
  /**
   * Submits the form of a page with this action, with its hidden fields and these values; returns the question of the
   * staff that is asked first.
   */
  submit(answer: Answer, action: string, values: Record<string, string>): Promise<Answer>;
  signIn(login: string, password?: string): Promise<Answer>;
};

/** Accept header of a browser that requests a page. */
const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const decode = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/** Returns the hidden fields of the form with this action. */
export const hiddenFields = (html: string, action: string): Record<string, string> => {
  const forms = html.match(/<form[\s\S]*?<\/form>/g) ?? [];
  const form = forms.find(
    (text) => text.includes(`action="${action}"`) && !text.startsWith('<form method="get"'),
  );
  if (!form) throw new Error(`no form for ${action} in ${html}`);
  const inputs = form.matchAll(/<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name!, decode(value!)]));
};

/** `ip` is the client address that a proxy reports. */
export const openBrowser = (test: Pick<TestApp, "request">, ip?: string): Browser => {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, options: RequestOptions = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const from = ip && { "x-forwarded-for": ip };
    const headers = { accept: ACCEPT, ...from, ...options.headers, ...(cookie && { cookie }) };
    const answer = await test.request(method, path, { ...options, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === "" || /max-age=0/i.test(line)) cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return answer;
  };
  const browser: Browser = {
    cookies,
    get: (path) => send("GET", path),
    post: (path, form) => send("POST", path, { form }),
    async submit(answer, action, values) {
      const form = { ...hiddenFields(answer.text, action), ...values };
      const sent = await send("POST", action, { form });
      const next = sent.headers.get("location") ?? "";
      return next.startsWith("/admin/question/") ? send("GET", next) : sent;
    },
    async signIn(login, password = "correct horse") {
      const page = await send("GET", "/auth/sign_in");
      return browser.submit(page, "/auth/sign_in", { login, password });
    },
  };
  return browser;
};
