/**
 * The known shapes of secrets, with the name that a problem shows. Only shapes with a fixed prefix or structure are listed,
 * so that UUIDs, digests, ARNs and names of workloads never match.
 *
 * Sources: the documentation of each issuer, and the default rules of gitleaks
 * (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml) and secretlint
 * (https://github.com/secretlint/secretlint), which list the prefixes and lengths. A pattern is often shorter than the whole
 * secret, because a truncated secret is one too. Decision: docs/decisions/ingestion.md.
 */
const table: Readonly<Record<string, readonly string[]>> = {
  'API key of this service': ['ask_(?:live|test)_[0-9A-Za-z]{34}_[0-9A-Za-z]{16,}'],
  'client secret of this service': ['acs_[0-9A-Za-z]{32,}'],
  'webhook signing secret': ['whsec_[A-Za-z0-9+/_-]{24,}'],

  // Providers of models, and gateways in front of them.
  'Anthropic API key': ['sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{20,}'],
  'OpenRouter API key': ['sk-or-v1-[0-9a-f]{32,}'],
  'Langfuse secret key': ['sk-lf-[0-9a-f]{8}-[0-9a-f-]{20,}'],
  // A part without a hyphen must mix digits, upper and lower case: `sk-learn-pipeline-production` is a name. The second form
  // is that of issuers with hexadecimal keys.
  'API key of OpenAI or a compatible provider': [
    'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}',
    'sk-(?:[A-Za-z0-9_]{0,40}-){0,4}(?=[A-Za-z_]{0,40}\\d)(?=[a-z0-9_]{0,40}[A-Z])(?=[A-Z0-9_]{0,40}[a-z])[A-Za-z0-9_]{12,}',
    'sk-[0-9a-f]{32,}',
  ],
  'Groq API key': ['gsk_[A-Za-z0-9]{32,}'],
  'Perplexity API key': ['pplx-[A-Za-z0-9]{32,}'],
  'xAI API key': ['xai-[A-Za-z0-9]{40,}'],
  'Hugging Face token': ['hf_[A-Za-z0-9]{30,}', 'api_org_[A-Za-z0-9]{30,}'],
  'Replicate token': ['r8_[A-Za-z0-9]{37}'],
  'NVIDIA API key': ['nvapi-[A-Za-z0-9_-]{40,}'],
  'LangSmith API key': ['lsv2_(?:pt|sk)_[0-9a-f]{32}'],
  'Databricks token': ['dapi[0-9a-f]{32}'],

  // Clouds.
  'AWS access key': ['(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])'],
  'Amazon Bedrock API key': ['ABSK[A-Za-z0-9+/]{80,}', 'bedrock-api-key-[A-Za-z0-9+/]{20,}'],
  'AWS secret access key': ['aws_?secret_?(?:access_?)?key["\'\\s:=]{1,5}[A-Za-z0-9+/]{30,}'],
  'Google API key': ['AIza[A-Za-z0-9_-]{35}'],
  'Google OAuth token': ['ya29\\.[A-Za-z0-9_-]{20,}', 'GOCSPX-[A-Za-z0-9_-]{20,}', '1//0[A-Za-z0-9_-]{40,}'],
  'Azure client secret': ['[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'],
  'Azure key': ['[A-Za-z0-9]{52}JQQJ9[9D][A-Za-z0-9]{20,}', 'AccountKey=[A-Za-z0-9+/]{40,}'],
  'DigitalOcean token': ['do[opr]_v1_[0-9a-f]{64}'],

  // Code hosting and packages.
  'GitHub token': ['gh[pousr]_[A-Za-z0-9]{36,}', 'github_pat_[A-Za-z0-9_]{36,}'],
  'GitLab token': ['gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent|imt|oas|ffct)-[A-Za-z0-9_-]{20,}'],
  'Atlassian token': ['ATATT3[A-Za-z0-9_=-]{60,}'],
  'npm token': ['npm_[A-Za-z0-9]{36}'],
  'PyPI token': ['pypi-AgEI[A-Za-z0-9_-]{40,}'],
  'RubyGems token': ['rubygems_[0-9a-f]{48}'],

  // Communication, payment and operation.
  'Slack token': ['xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,}', 'xapp-\\d-[A-Z0-9]+-\\d+-[a-z0-9]{16,}'],
  'Slack webhook URL': ['hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,}'],
  'Stripe key': ['[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}'],
  'SendGrid API key': ['SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{40,}'],
  'Twilio API key': ['SK[0-9a-f]{32}(?![A-Za-z0-9])'],
  'Telegram bot token': ['\\d{8,10}:AA[A-Za-z0-9_-]{33}'],
  'Shopify token': ['shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}'],
  'HashiCorp token': ['hv[bs]\\.[A-Za-z0-9_-]{24,}', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,}'],
  'Grafana token': ['glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}', 'glc_[A-Za-z0-9+/]{32,}'],
  'Sentry token': ['sntrys_[A-Za-z0-9+/=_-]{40,}', 'sntryu_[0-9a-f]{64}'],
  'Linear API key': ['lin_api_[A-Za-z0-9]{40}'],
  'Notion token': ['ntn_[0-9]{11}[A-Za-z0-9]{35}'],
  'Postman API key': ['PMAK-[0-9a-f]{24}-[0-9a-f]{34}'],
  '1Password token': ['ops_eyJ[A-Za-z0-9+/]{40,}'],
  'age secret key': ['AGE-SECRET-KEY-1[0-9A-Z]{40,}'],

  // Structures without an issuer.
  'JSON Web Token': ['ey[A-Za-z0-9_-]{15,}\\.ey[A-Za-z0-9_-]{15,}\\.[A-Za-z0-9_-]*'],
  'private key': ['-----BEGIN[ A-Z0-9]{0,40} PRIVATE KEY', '-----BEGIN PRIVATE KEY'],
  'authorization header': ['[Bb]earer\\s+[A-Za-z0-9+/._~-]{16,}', '[Bb]asic\\s+[A-Za-z0-9+/]{16,}={0,2}'],
  'URL with a password': ['[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\\s/:@]{0,100}:[^\\s/:@]{3,100}@'],
};

/** A secret starts at the start of the text or behind a character that is no part of a word. */
const compile = (patterns: readonly string[]): RegExp =>
  new RegExp(`(?<![A-Za-z0-9])(?:${patterns.join('|')})`);

const kinds = Object.entries(table).map(([kind, patterns]) => ({ kind, pattern: compile(patterns) }));
const any = compile(Object.values(table).flat());

/** Shorter text has no secret: it would have less than the prefix and 10 characters of the shortest one. */
const SECRET_LENGTH_MINIMUM = 12;

/**
 * A secret access key of AWS without its name: 40 characters of base64 that stand alone. Digests are hexadecimal or have
 * another length.
 */
const AWS_SECRET =
  /(?<![^\s"'=])(?=[^\s"']{0,39}\d)(?=[^\s"']{0,39}[A-Z])(?=[^\s"']{0,39}[a-z])[A-Za-z0-9+/]{40}(?![^\s"'])/;

/** Bits for each character. Random base64 of 40 characters has more, names and paths have less. */
const ENTROPY_MINIMUM = 4.4;

const entropyOf = (text: string): number => {
  const counts = [...Map.groupBy(text, (character) => character).values()].map(({ length }) => length);
  return counts.reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
};

const hasAwsSecret = (text: string): boolean => {
  const [candidate] = AWS_SECRET.exec(text) ?? [];
  return candidate !== undefined && entropyOf(candidate) >= ENTROPY_MINIMUM;
};

/** The kind of the first known secret in the text; null if there is none. Never returns a part of the text. */
export const secretKindIn = (text: string): string | null => {
  if (text.length < SECRET_LENGTH_MINIMUM) return null;
  if (any.test(text)) return kinds.find(({ pattern }) => pattern.test(text))?.kind ?? 'secret';
  return hasAwsSecret(text) ? 'AWS secret access key' : null;
};
