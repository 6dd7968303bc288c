import { describe, expect, test } from "vitest";
import { factsOf } from "./with-retry.ts";
import { createFailure } from "./endpoint-fetch.ts";

const call = { endpoint: "models.example", model: "m", keyName: null, secrets: [], nowMs: () => 0 };

describe("a certificate that is refused is said, and is not asked again", () => {
  test.each([
    ["CERT_HAS_EXPIRED", "it has expired"],
    ["CERT_NOT_YET_VALID", "not valid yet"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "self-signed"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "another host's"],
    ["HOSTNAME_MISMATCH", "another host's"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "issuer is not known"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "issuer is not known"],
    ["CERT_REVOKED", "revoked"],
    ["CERT_SIGNATURE_FAILURE", "cannot be checked"],
  ])("%s", (code, why) => {
    const error = createFailure(call, new Error("failed", { cause: Object.assign(new Error("inner"), { code }) }));
    expect(error.message).toContain(`its certificate is refused: `);
    expect(error.message).toContain(why);
    expect(error.message).toContain(code);
    expect(factsOf(error)).toMatchObject({ retryable: false, spent: "nothing" });
  });

  test("an address that does not speak TLS is said as well", () => {
    const error = createFailure(call, Object.assign(new Error("wrong version number"), { code: "EPROTO" }));
    expect(error.message).toContain("does not speak TLS");
    expect(factsOf(error)).toMatchObject({ retryable: false });
  });

  test("a lost connection is asked again", () => {
    const error = createFailure(call, Object.assign(new Error("reset"), { code: "ECONNRESET" }));
    expect(factsOf(error)).toMatchObject({ retryable: true });
  });
});
