// Attack: strangers make this server send requests to a third one.

import { drained } from "../server.ts";
import type { Attack } from "./attack.ts";
import { countFavourites, selectLocalStatus } from "./queries.ts";
import { sendAll, statusCounts } from "./tools.ts";

const LINKS = 8;

export const profileLinks: Attack = {
  name: "profile_links",
  async run(stage) {
    const { server, strangers, world } = stage;
    const actors = stage.of(60, 5);
    const attachment = Array.from({ length: LINKS }, (_, n) => {
      const href = `http://${strangers.third}/page/${n}`;
      return { type: "PropertyValue", name: "w", value: `<a href="${href}" rel="me">${href}</a>` };
    });
    strangers.state.more = { attachment };
    const object = await selectLocalStatus(server.sql, world);
    const before = await countFavourites(server.sql, object);
    const requests = Array.from({ length: actors }, (_, n) => () => {
      const name = `liker${n}`;
      const id = `${strangers.actorUri(name)}#likes/1`;
      return strangers.sign(name, world.host, { id, type: "Like", object });
    });
    stage.say(`likes: ${statusCounts(await sendAll(server.port, requests, 8))}`);
    await drained(server);
    const likes = (await countFavourites(server.sql, object)) - before;
    if (likes === 0) throw new Error("no Like had an effect");
    const what = `requests to a third host: ${actors} unknown actors with ${LINKS} links to it, a Like each`;
    return [{ what, seen: strangers.countOf(strangers.third), unit: "", most: 12 }];
  },
};

export const madeUpKeys: Attack = {
  name: "made_up_keys",
  async run(stage) {
    const { server, strangers, world } = stage;
    const count = stage.of(300, 70);
    const requests = Array.from({ length: count }, (_, n) => () => {
      const keyId = `http://${strangers.third}/users/nobody${n}#main-key`;
      const activity = { id: `${strangers.actorUri("eve")}#${n}`, type: "Like", object: "x:" };
      return strangers.sign("eve", world.host, activity, keyId);
    });
    const began = performance.now();
    stage.say(`keys: ${statusCounts(await sendAll(server.port, requests, 8))}`);
    const minutes = (performance.now() - began) / 60_000;
    const what = `GETs at a host: ${count} made-up key ids there`;
    const most = 60 + Math.ceil(30 * minutes);
    return [{ what, seen: strangers.countOf(strangers.third), unit: "", most }];
  },
};
