// Checks links before they are drawn: some lead to addresses that other servers and apps have named.

/** Addresses of web pages, of people, and of the secret that an app for codes takes. */
const SAFE = new Set(["https:", "http:", "mailto:", "otpauth:"]);

/** Returns the address, or "#" where following it would do anything but open a page, a mail or an app for codes. */
export const safeLink = (link: string): string => {
  const url = URL.parse(link, "https://here.invalid");
  return url && SAFE.has(url.protocol) ? link : "#";
};
