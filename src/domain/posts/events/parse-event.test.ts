// Calendar events of other servers, in the shapes in which they write them, and hostile ones.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventLines, parseEvent } from "./parse-event.ts";

type Json = Record<string, unknown>;

const START = "2026-12-11T19:00:00Z";
const END = "2026-12-11T21:30:00Z";

const parse = (members: Json = {}) =>
  parseEvent({ type: "Event", name: "Dance class", startTime: START, ...members });

const placeOf = (location: unknown) => parse({ location })?.place;

describe("an event", () => {
  it("has a name, a start, an end and a place", () => {
    assert.deepEqual(
      parse({ endTime: END, location: { type: "Place", name: "The Kenn Centre" } }),
      {
        name: "Dance class",
        startsAt: new Date(START),
        endsAt: new Date(END),
        place: "The Kenn Centre",
      },
    );
  });

  it("may leave out its end and its place", () => {
    const event = parse();
    assert.deepEqual([event?.endsAt, event?.place], [null, null]);
  });

  it("has a time that is not of the server where it names no zone of its own", () => {
    assert.deepEqual(parse({ startTime: "2026-12-11T20:00:00+01:00" })?.startsAt, new Date(START));
  });

  it("has its name by language", () => {
    assert.equal(parse({ name: undefined, nameMap: { de: "Tanzen" } })?.name, "Tanzen");
  });

  it("has a sign before its name where it is cancelled, as Mobilizon and WordPress say it", () => {
    for (const said of [{ "ical:status": "CANCELLED" }, { status: "CANCELLED" }]) {
      assert.equal(parse(said)?.name, "❌ Dance class");
      assert.equal(parse({ ...said, name: "" }), null);
      assert.ok(parse({ ...said, name: "x".repeat(5000) })!.name.length <= 500);
    }
    assert.equal(parse({ "ical:status": "CONFIRMED" })?.name, "Dance class");
  });

  it("is none without a name or a start, nor is another object", () => {
    for (const members of [
      { name: "" },
      { name: undefined },
      { name: " \n " },
      { name: 5 },
      { startTime: undefined },
      { startTime: "tomorrow" },
      { startTime: 1_797_000_000 },
      { startTime: "+275760-09-13T00:00:00Z" },
      { type: "Note" },
      { type: "Question" },
    ]) {
      assert.equal(parse(members), null, JSON.stringify(members));
    }
  });

  it("has no end that is before its start, years after it, or not to be shown (FEP-8a8e)", () => {
    for (const members of [
      { endTime: "2026-12-11T18:00:00Z" },
      { endTime: START },
      { endTime: "2036-12-11T18:00:00Z" },
      { endTime: "later" },
      { endTime: END, displayEndTime: false },
    ]) {
      assert.equal(parse(members)?.endsAt, null, JSON.stringify(members));
    }
  });
});

describe("its place", () => {
  it("is a text (Hubzilla), a name with an address as text (Gancio), or a postal one (Mobilizon)", () => {
    assert.equal(placeOf("The barn"), "The barn");
    assert.equal(placeOf({ type: "Place", content: "<p>The barn</p>" }), "The barn");
    assert.equal(
      placeOf({ type: "Place", name: "XM24", address: "via Fioravanti 24" }),
      "XM24, via Fioravanti 24",
    );
    const address = {
      type: "PostalAddress",
      streetAddress: "Devon Expressway",
      postalCode: "EX6 7TW",
      addressLocality: "Teignbridge",
      addressCountry: "United Kingdom",
    };
    assert.equal(
      placeOf({ type: "Place", name: "Kenn", address }),
      "Kenn, Devon Expressway, Teignbridge",
    );
  });

  it("says nothing twice", () => {
    assert.equal(placeOf({ name: "Pub", address: "Pub" }), "Pub");
  });

  it("is the first of several, and of one on the web its name or address", () => {
    const url = "https://meet.example/moss";
    assert.equal(placeOf([{ name: "Here" }, { name: "There" }]), "Here");
    assert.equal(placeOf({ type: "VirtualLocation", name: "Call", url }), "Call");
    assert.equal(placeOf({ type: "VirtualLocation", url }), url);
    assert.equal(placeOf({ type: "VirtualLocation", url: "javascript:alert(1)" }), null);
  });
});

describe("hostile values", () => {
  it("are cut, and have neither markup nor control characters", () => {
    const event = parse({
      name: `<b>Party</b><script>alert(1)</script>\u202e\u0000\n${"x".repeat(100_000)}`,
      location: { name: "<img src=x onerror=alert(1)>Pub", address: "y".repeat(100_000) },
    })!;
    assert.match(event.name, /^Party x+$/);
    assert.ok(event.name.length <= 500);
    assert.match(event.place!, /^Pub, y+$/);
    assert.ok(event.place!.length <= 500);
  });

  it("leave a name alone that only looks like it", () => {
    for (const name of ["1 < 2 & a <3 party", "The <old> gate", "<barn> & <bar>"])
      assert.equal(parse({ name })?.name, name);
  });

  it("of other types are no values", () => {
    for (const location of [5, true, [], [[]], {}, { name: {} }, { address: [1, {}] }, null]) {
      assert.equal(placeOf(location), null, JSON.stringify(location));
    }
  });
});

it("is said in the text of its post in its own time zone, the place alone where it has no time", () => {
  const event = { type: "Event", startTime: START, endTime: END, location: "Pub" };
  assert.deepEqual(eventLines({ ...event, timezone: "Europe/Berlin" }), [
    "2026-12-11 20:00 – 22:30 (Europe/Berlin)",
    "Pub",
  ]);
  assert.deepEqual(
    eventLines({ ...event, timezone: "Nowhere" })[0],
    "2026-12-11 19:00 – 21:30 (UTC)",
  );
  assert.deepEqual(eventLines({ ...event, startTime: "soon" }), ["Pub"]);
  assert.deepEqual(eventLines({ ...event, type: "Note" }), []);
});
