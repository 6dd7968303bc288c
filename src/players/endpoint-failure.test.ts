import { describe, expect, test } from "vitest";
import { factsOf } from "./with-retry.ts";
import { createFailure } from "./endpoint-fetch.ts";

const call = { endpoint: "models.example", model: "m", keyName: null, secrets: [], nowMs: () => 0 };

describe("a certificate that is refused is said, and is not asked again", () => {
  test.each([
    "CERT_HAS_EXPIRED",
    "CERT_NOT_YET_VALID",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "HOSTNAME_MISMATCH",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "CERT_REVOKED",
    "CERT_SIGNATURE_FAILURE",
  ])("%s", (code) => {
    const error = createFailure(call, new Error("failed", { cause: Object.assign(new Error("inner"), { code }) }));
    expect(error.message).toContain(`its certificate is refused (${code})`);
    expect(factsOf(error)).toMatchObject({ retryable: false, spent: "nothing" });
  });

  test("an address that TLS handshake failed is said as well", () => {
    const error = createFailure(call, Object.assign(new Error("wrong version number"), { code: "EPROTO" }));
    expect(error.message).toContain("TLS handshake failed");
    expect(factsOf(error)).toMatchObject({ retryable: false });
  });

  test("a lost connection is asked again", () => {
    const error = createFailure(call, Object.assign(new Error("reset"), { code: "ECONNRESET" }));
    expect(factsOf(error)).toMatchObject({ retryable: true });
  });
});

test.each([
  [[408, 429, 500, 502, 503, 504, 529], {}, true],
  [[300, 307, 400, 401, 403, 404, 413, 422, 501, 505], {}, false],
  [[429], { responseBody: '{"error":{"code":"insufficient_quota"}}' }, false],
])("of the statuses %j %j it is %s that asking again may help; none was paid for", (statuses, more, retryable) => {
  for (const statusCode of statuses) {
    const facts = factsOf(createFailure(call, Object.assign(new Error("no"), { statusCode, ...more })));
    expect(facts, String(statusCode)).toMatchObject({ status: statusCode, retryable, spent: "nothing" });
  }
});
