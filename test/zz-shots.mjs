import { chromium } from "playwright-core";
const [out, locale, ...paths] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const [width, scheme] of [[1280,"light"],[390,"light"],[1280,"dark"],[390,"dark"]]) {
  if (process.env.ONLY && !process.env.ONLY.split(",").includes(`${width}${scheme}`)) continue;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, locale, storageState: "/tmp/staffset/state.json" });
  const page = await context.newPage();
  for (const path of paths) {
    await page.goto("http://localhost:3103" + path);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) console.log("OVERFLOW", path, width, wide);
    await page.screenshot({ path: `${out}/${path.replaceAll(/[\/?=&]/g,"_")}-${width}-${scheme}-${locale}.png`, fullPage: true });
  }
  await context.close();
}
await browser.close();
