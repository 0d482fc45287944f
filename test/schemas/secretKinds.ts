import * as fc from 'fast-check';
import { formatApiKey } from '../../functions/identity/access/principals/apiKey.ts';

const HEX = '0123456789abcdef';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALPHANUMERIC = LOWER + UPPER + DIGITS;
const URL_SAFE = `${ALPHANUMERIC}-_`;

const characters = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });

/** A prefix and random characters. Prefixes are split, so that secret scanners do not report this file. */
const shape = (prefix: readonly string[], alphabet: string, length: number): fc.Arbitrary<string> =>
  characters(alphabet, length).map((text) => prefix.join('') + text);

const concatenated = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((all) => all.join(''));

const ownKey = fc
  .tuple(
    characters(`${LOWER}234567`, 8),
    characters('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 25),
    characters(ALPHANUMERIC, 43),
  )
  .map(([tag, rest, secret]) => formatApiKey('test', `${tag}0${rest}`, secret));

/** Random text has every class of characters. A text without one of them is too rare to be worth a rule. */
const mixed = (secrets: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  secrets.filter((text) => {
    const body = text.slice(3);
    return /\d/.test(body) && /[A-Z]/.test(body) && /[a-z]/.test(body);
  });

/** Secrets as their issuers form them, by the kind that a problem names. */
export const secretsByKind: readonly (readonly [string, fc.Arbitrary<string>])[] = [
  ['API key of this service', ownKey],
  ['client secret of this service', shape(['acs', '_'], ALPHANUMERIC, 43)],
  ['webhook signing secret', shape(['whsec', '_'], ALPHANUMERIC, 43)],
  ['Anthropic API key', shape(['sk-', 'ant-api03-'], URL_SAFE, 95)],
  ['OpenRouter API key', shape(['sk-', 'or-v1-'], HEX, 64)],
  ['API key of OpenAI or a compatible provider', mixed(shape(['sk', '-'], ALPHANUMERIC, 48))],
  ['API key of OpenAI or a compatible provider', shape(['sk-', 'proj-'], URL_SAFE, 156)],
  ['API key of OpenAI or a compatible provider', mixed(shape(['sk', '-'], ALPHANUMERIC, 22))],
  ['API key of OpenAI or a compatible provider', shape(['sk', '-'], HEX, 32)],
  ['Groq API key', shape(['gs', 'k_'], ALPHANUMERIC, 52)],
  ['Hugging Face token', shape(['h', 'f_'], LOWER + UPPER, 34)],
  ['AWS access key', shape(['AK', 'IA'], `${UPPER}234567`, 16)],
  ['AWS access key', shape(['AS', 'IA'], `${UPPER}234567`, 16)],
  ['Amazon Bedrock API key', shape(['AB', 'SK'], `${ALPHANUMERIC}+/`, 128)],
  ['Google API key', shape(['AI', 'za'], URL_SAFE, 35)],
  ['Google OAuth token', shape(['ya', '29.'], URL_SAFE, 60)],
  [
    'Azure client secret',
    concatenated(characters(ALPHANUMERIC, 3), '8', 'Q~', characters(`${ALPHANUMERIC}_~.-`, 34)),
  ],
  ['DigitalOcean token', shape(['dop', '_v1_'], HEX, 64)],
  ['GitHub token', shape(['gh', 'p_'], ALPHANUMERIC, 36)],
  ['GitHub token', shape(['github', '_pat_'], `${ALPHANUMERIC}_`, 82)],
  ['GitLab token', shape(['gl', 'pat-'], URL_SAFE, 20)],
  ['npm token', shape(['np', 'm_'], ALPHANUMERIC, 36)],
  ['PyPI token', shape(['pypi-', 'AgEIcHlwaS5vcmc'], URL_SAFE, 100)],
  [
    'Slack token',
    concatenated(
      'xo',
      'xb-',
      characters(DIGITS, 12),
      '-',
      characters(DIGITS, 12),
      '-',
      characters(ALPHANUMERIC, 24),
    ),
  ],
  ['Slack webhook URL', shape(['https://hooks.', 'slack.com/services/'], ALPHANUMERIC, 44)],
  ['Stripe key', shape(['sk', '_live_'], ALPHANUMERIC, 24)],
  ['Stripe key', shape(['rk', '_test_'], ALPHANUMERIC, 99)],
  ['SendGrid API key', concatenated('S', 'G.', characters(URL_SAFE, 22), '.', characters(URL_SAFE, 43))],
  ['Twilio API key', shape(['S', 'K'], HEX, 32)],
  ['Telegram bot token', concatenated(characters(DIGITS, 9), ':A', 'A', characters(URL_SAFE, 33))],
  ['Shopify token', shape(['shp', 'at_'], HEX, 32)],
  ['HashiCorp token', shape(['hv', 's.'], URL_SAFE, 95)],
  ['Grafana token', concatenated('gl', 'sa_', characters(ALPHANUMERIC, 32), '_', characters(HEX, 8))],
  [
    'JSON Web Token',
    concatenated(
      'ey',
      characters(URL_SAFE, 30),
      '.ey',
      characters(URL_SAFE, 60),
      '.',
      characters(URL_SAFE, 43),
    ),
  ],
  ['private key', concatenated('-----BEGIN', ' RSA PRIVATE KEY-----', characters(ALPHANUMERIC, 64))],
  ['private key', concatenated('-----BEGIN', ' PRIVATE KEY-----', characters(ALPHANUMERIC, 64))],
  ['authorization header', concatenated('Bearer ', characters(URL_SAFE, 40))],
  [
    'URL with a password',
    concatenated('postgres://app:', characters(ALPHANUMERIC, 16), '@db.internal/ledger'),
  ],
];

/** Names, ids and digests of which none is a secret. */
export const harmlessTexts: readonly (readonly [string, fc.Arbitrary<string>])[] = [
  ['UUIDs', fc.uuid()],
  ['ULIDs', fc.ulid()],
  [
    'ids of this service',
    concatenated(
      fc.constantFrom('att', 'inv', 'key', 'dsp'),
      '_',
      characters(`${LOWER}234567`, 8),
      fc.ulid(),
    ),
  ],
  ['commit hashes', fc.constantFrom(40, 64).chain((length) => characters(HEX, length))],
  ['image digests', concatenated('registry.example.org/search/ranker@sha256:', characters(HEX, 64))],
  ['e-mail addresses', fc.emailAddress()],
  ['W3C trace ids', characters(HEX, 32)],
  ['Kubernetes names', fc.stringMatching(/^[a-z][a-z0-9]{0,20}(-[a-z0-9]{1,12}){0,6}$/)],
  [
    'Kubernetes pods',
    concatenated(
      fc.stringMatching(/^[a-z]{3,20}-[a-z]{3,12}$/),
      '-',
      characters('bcdfghjklmnpqrstvwxz2456789', 10),
      '-',
      characters('bcdfghjklmnpqrstvwxz2456789', 5),
    ),
  ],
  [
    'SPIFFE ids',
    fc.stringMatching(/^spiffe:\/\/[a-z0-9.-]{3,30}\/ns\/[a-z0-9-]{3,40}\/sa\/[A-Za-z0-9._-]{3,40}$/),
  ],
  [
    'ARNs',
    concatenated(
      'arn:aws:iam::',
      characters(DIGITS, 12),
      ':role/',
      fc.stringMatching(/^[A-Z][A-Za-z0-9]{3,40}(-[A-Za-z0-9]{3,20}){0,3}$/),
    ),
  ],
  ['ids of AWS principals', concatenated(fc.constantFrom('AROA', 'AIDA'), characters(`${UPPER}234567`, 17))],
  [
    'resources of AWS',
    concatenated(
      'arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.anthropic.',
      fc.stringMatching(/^[a-z0-9-]{5,40}-v1:0$/),
    ),
  ],
  [
    'models',
    fc.constantFrom(
      'gpt-4o-2024-08-06',
      'claude-sonnet-4-5-20250929',
      'meta-llama/Llama-3.3-70B-Instruct-Turbo',
      'ft:gpt-4o-mini:acme::9abcDEF1',
    ),
  ],
  [
    'names with the prefix of a key',
    fc.constantFrom(
      'sk-learn-pipeline-production-eu-west',
      'ask_the_expert_live_support',
      'sk-proj',
      'hf_ranking',
      'ghp_team',
      'task-AKIA',
      'desk-ant-farm-operations',
    ),
  ],
  [
    'class names',
    fc.constantFrom('CustomerSupportAssistantV2ProductionEu01', 'RetrievalAugmentedGenerationService2026'),
  ],
  [
    'paths',
    fc.constantFrom('teams/Search/Ranking/Production/Region2/EU', 'https://example.org/docs/index.html'),
  ],
];
