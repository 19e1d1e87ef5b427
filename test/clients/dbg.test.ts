import { after, before, it } from "node:test";
import { someone, startLife } from "./life.ts";
import type { Life, Someone } from "./life.ts";
let server: Life; let alice: Someone; let bob: Someone;
before(async () => { server = await startLife(); alice = await someone(server, "alice"); bob = await someone(server, "bob"); });
after(() => server?.close());
it("x", async () => {
  await alice.rest.v1.accounts.$select(bob.accountId).follow();
  const ear = await alice.listen((s) => s.user.subscribe());
  let bad = 0;
  for (let i=0;i<40;i++) {
    const { id } = await bob.rest.v1.statuses.create({ status: `before${i}` });
    await ear.heard("update", (s) => s.id === id);
    if (i % 2) await alice.rest.v1.timelines.home.list();
    await bob.rest.v1.statuses.$select(id).update({ status: `after${i}` });
    const h = await ear.heard("status.update", (s) => s.id === id);
    if (!/after/.test(h.content)) { bad++; console.log(i, h.content, h.edited_at ?? h.editedAt, ear.events.filter(e=>e.event=="status.update" && (e.payload as any).id===id).map(e=>(e.payload as any).content)); }
  }
  console.log({bad}); ear.close();
});
