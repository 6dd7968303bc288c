import { expect, test } from "vitest";
import { planFields } from "./field-names.ts";

test("of the names of fields only those are looked for that a record's keys can hold, in their order", () => {
  expect(planFields(["msg", "ts", "log", "level"])).toMatchObject({
    time: ["ts"],
    level: ["level", "log.level"],
    message: ["msg", "log"],
    component: ["log.logger"],
    service: [],
  });
  expect(planFields(["message", "service.name"])).toMatchObject({ message: ["message"], service: ["service.name"] });
  expect(planFields(["msg", "ts", "log", "level"]).time).toEqual(["ts"]);
  expect(planFields([])).toMatchObject({ message: [], stack: [] });
});
