import * as z from "zod";

/** Variables that hold what opens something other than a model: whatever a configuration says, they are never sent to one. */
const foreign = [
  /^(?:AWS|AMAZON|ALICLOUD|DIGITALOCEAN|LINODE|HCLOUD|CLOUDFLARE|CF|FLY|HEROKU|NETLIFY|VERCEL|RAILWAY|RENDER)_/,
  /^(?:GITHUB|GH|GITLAB|BITBUCKET|CI|CIRCLE|TRAVIS|BUILDKITE|DRONE|JENKINS|ACTIONS|RUNNER|SONAR|CODECOV|SNYK)_/,
  /^(?:NPM|NODE_AUTH|YARN|PYPI|TWINE|CARGO|GEM_HOST|RUBYGEMS|DOCKER|HOMEBREW|NUGET|MAVEN|GPG|SSH|SIGNING)_/,
  /^(?:STRIPE|PAYPAL|PLAID|TWILIO|SENDGRID|MAILGUN|MAILCHIMP|SLACK|DISCORD|TELEGRAM|JIRA|ATLASSIAN|LINEAR|NOTION)_/,
  /^(?:VAULT|CONSUL|NOMAD|KUBE|KUBERNETES|TF|TERRAFORM|PULUMI|OP|BW|DOPPLER|SENTRY|DATADOG|DD|NEW_RELIC|GRAFANA)_/,
  /^(?:DATABASE|DB|PG|POSTGRES|MYSQL|MONGO|REDIS|SUPABASE|FIREBASE|JWT|SESSION|COOKIE|ENCRYPTION|SECRET|PRIVATE)_/,
  /^(?:PARLEY_TOKEN|PARLEY_READER_TOKEN)$/,
];

const isForeign = (name: string): boolean => foreign.some((pattern) => pattern.test(name.toUpperCase()));

/** The name of a variable that may hold the key of a model endpoint. */
export const KeyNameSchema = z
  .string()
  .regex(
    /^\w+_(?:[Kk][Ee][Yy]|[Tt][Oo][Kk][Ee][Nn])$/,
    "not the name of a variable that holds a key: it ends in _KEY or _TOKEN, e.g. LAB_API_KEY",
  )
  .refine((name) => !isForeign(name), {
    error:
      "this variable holds a secret of something other than a model; copy the endpoint's key into a variable of its own, e.g. LAB_API_KEY",
  });
