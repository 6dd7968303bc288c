/** Why a certificate was not accepted, by the code that Node gives; the rest is told by the code alone. */
const reasons: [RegExp, string][] = [
  [/^CERT_HAS_EXPIRED$/, "it has expired"],
  [/^CERT_NOT_YET_VALID$/, "it is not valid yet; is this machine's clock right?"],
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, "it is another host's"],
  [/^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT/, "it is self-signed"],
  [/^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/, "its issuer is not known here"],
  [/^CERT_(?:REVOKED|REJECTED|UNTRUSTED)$/, "it was revoked or is not trusted"],
  [/^(?:CERT_|CRL_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/, "it cannot be checked"],
];

/** What is wrong with the other side's certificate or TLS, when this code says so; asking again would not mend it. */
export function explainCertificate(code: string): string | null {
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1];
  if (reason !== undefined)
    return `its certificate is refused: ${reason} (${code}); for an authority of your own set NODE_EXTRA_CA_CERTS`;
  return /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code)
    ? `it does not speak TLS as it should (${code}); is it https?`
    : null;
}
