import { memoize, memoKey } from '../../platform/shared/caches/memoize.ts';
import { isBedrockId, routingArea, withoutArn, withVendor } from './bedrockId.ts';
import { regionName } from './regionName.ts';

/** A provider and model in the spelling that the price catalogue and our own tables share. */
export interface ModelIdentity {
  readonly provider: string;
  readonly model: string;
  /** Region or data zone that is part of the id, such as `us-east-1/` at Bedrock and `eu/` at Azure. */
  readonly region?: string;
}

/**
 * Spellings of the same provider: OpenTelemetry GenAI (`gcp.vertex_ai`, `aws.bedrock`, `azure.ai.openai`, `x_ai`),
 * LiteLLM (`vertex_ai`), Vercel AI SDK (`openai.responses`) and display names (`Mistral AI`).
 * Azure comes before OpenAI: otherwise `azure-openai` would get the prices and locations of OpenAI.
 */
export const PROVIDER_SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:azure|az\.ai|microsoft)/, 'azure'],
  [/^(?:aws|amazon|bedrock)/, 'aws'],
  [/^(?:gcp|google|vertex|gemini)/, 'google'],
  [/^openai(?![-_ ]?(?:compat|like))/, 'openai'],
  [/^anthropic/, 'anthropic'],
  [/^mistral/, 'mistral'],
  [/^cohere/, 'cohere'],
  [/^deepseek/, 'deepseek'],
  [/^groq/, 'groq'],
  [/^x[-_. ]?ai(?:\.|$)/, 'x-ai'],
  [/^perplexity/, 'perplexity'],
  [/^together(?:[-_ ]?ai)?(?:\.|$)/, 'together'],
  [/^fireworks/, 'fireworks'],
  [/^(?:moonshot|kimi)/, 'moonshotai'],
  [/^cerebras/, 'cerebras'],
  // Gateways that sell nothing: the id of the model tells the seller, as at LiteLLM.
  [
    /^(?:kong|envoy|portkey|helicone|bifrost|tensorzero|cloudflare[-_ ]?(?:ai[-_ ]?)?gateway|ai[-_ ]?gateway$)/,
    'litellm',
  ],
  [/^(?:cloudflare|internal-workers-ai|workers-ai)/, 'cloudflare'],
  [/^voyage/, 'voyageai'],
  [/^deepinfra/, 'deepinfra'],
  [/^databricks/, 'databricks'],
  // The AI SDK names the gateway of Vercel so.
  [/^(?:vercel|gateway$)/, 'vercel'],
  [/^github[-_. ]?models$/, 'github-models'],
  // Copilot CLI names itself `github`, and LiteLLM calls GitHub Models so.
  [/^github(?:$|[-_. ]?copilot)/, 'github-copilot'],
  [/^open[-_ ]?router/, 'openrouter'],
  [/^(?:dashscope|alibaba|aliyun|qwen|bailian|tongyi|model[-_ ]?studio)/, 'dashscope'],
  [/^(?:z[-_. ]?ai|zhipu|bigmodel)/, 'zai'],
  [/^hugging[-_ ]?face$/, 'huggingface'],
  [/^(?:xiaomi|mimo)/, 'xiaomi'],
  [/^jina/, 'jina_ai'],
  [/^fal(?:[-_. ]?ai)?(?:\.|$)/, 'fal_ai'],
  [/^(?:bfl|black[-_ ]?forest)/, 'black_forest_labs'],
  [/^runway/, 'runwayml'],
];

const spelled = (provider: string): string | undefined =>
  PROVIDER_SPELLINGS.find(([spelling]) => spelling.test(provider.trim().toLowerCase()))?.[1];

/** A URL, or a host name of three parts or more. `openai.chat`, `aws.bedrock` and `x.ai` are names. */
const HOST =
  /^(?:https?:\/\/|(?=[^./]+\.[^./]+\.[^./]+))((?:[a-z0-9_-]+\.)+(?:com|net|org|io|ai|xyz|sh|dev|cloud|us|cn|aws))(?::\d+)?(?:\/|$)/i;
/** Clouds, whose hosts begin with names of their customers. Their other products are no providers. */
const CLOUD_HOSTS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)(?:azure|microsoft|azure-api)\.(?:com|net|us)$/i, 'azure'],
  [/(?:^|\.)(?:amazonaws\.com(?:\.cn)?|api\.aws)$/i, 'aws'],
  [/(?:^|\.)aiplatform(?:\.[a-z]+\.rep)?\.googleapis\.com$|-aiplatform\.googleapis\.com$/i, 'gcp.vertex_ai'],
  [/(?:^|\.)googleapis\.com$/i, 'gcp.gemini'],
  [/(?:^|\.)aliyuncs\.com$/i, 'dashscope'],
  [/(?:^|\.)(?:azure)?databricks\.(?:com|net)$/i, 'databricks'],
  [/^gateway\.ai\.cloudflare\.com$/i, 'cloudflare-ai-gateway'],
];

/** The provider at a host, such as `openai` at `https://api.openai.com/v1`. Undefined for other hosts, and for names. */
export const providerOfHost = (raw: string): string | undefined => {
  const host = HOST.exec(raw.trim())?.[1];
  if (host === undefined) return undefined;
  const labels = host.toLowerCase().split('.').slice(-2);
  const cloud = CLOUD_HOSTS.find(([known]) => known.test(host))?.[1];
  return cloud ?? spelled(labels[0] ?? '') ?? spelled(labels.join('.'));
};

/**
 * The provider at a host, which voice frameworks name, or in the path of a plugin or a route, which other frameworks and gateways
 * name: `langgenius/openai/openai` of Dify, `default/openai/route/basic/rule/0/ref/0` of Envoy. Other names are returned unchanged.
 */
export const providerInPath = (raw: string): string =>
  providerOfHost(raw) ??
  (raw.includes('/') ? (raw.split('/').findLast((part) => spelled(part) !== undefined) ?? raw) : raw);

/** The provider in the id of a model as LiteLLM has it: `bedrock/us.anthropic.claude-sonnet-4-5`. Undefined for other ids. */
export const providerOfRoute = (model: string): string | undefined => {
  const prefix = model.slice(0, Math.max(0, model.indexOf('/')));
  return spelled(prefix) === undefined ? undefined : prefix;
};

/** The provider of one of its spellings. Other names are returned in lower case. */
export const canonicalProvider = (raw: string): string => {
  const provider = providerInPath(raw);
  return spelled(provider) ?? provider.trim().toLowerCase();
};

/**
 * Resource paths of Google and Vertex AI, the namespaces of Databricks and fal, and the `[1m]` mark of a long context window. Not
 * part of the model id.
 */
const DECORATION =
  /^(?:.*\/)?publishers\/[^/]+\/models\/|^models\/|^system\.ai\.|(?<=^|^fal_ai\/)fal-ai\/|\[\d+[km]\]$/g;

/** A resource of Vertex AI tells who serves a model, and where: OpenInference and gateways name nothing else. */
const VERTEX_PATH = /^(?:projects\/[^/]+\/)?(?:locations\/([^/]+)\/)?publishers\/[^/]+\/models\//;

/** TensorZero separates a provider from its model so: `openai::gpt-4o`, `tensorzero::model_name::openai::gpt-4o`. */
const withSlash = (id: string): string =>
  id.replace(/^tensorzero::(?:model_name::)?/, '').replace(/^([a-z0-9_-]+)::/, '$1/');

/**
 * Cursor, Snowflake and others name Claude 4 and later in the order of Claude 3: `claude-4.5-sonnet`. Gateways, whose ids begin
 * with the vendor, keep the dot: OpenRouter has `anthropic/claude-4.5-sonnet-20250929` for `anthropic/claude-sonnet-4.5`.
 */
const OLDER_ORDER = /^([a-z0-9-]+\/)?claude-([4-9](?:[.-]\d+)?)-(opus|sonnet|haiku)(?=$|[-:@])/;
const inOrder = (id: string): string =>
  id.replace(OLDER_ORDER, (_, vendor: string | undefined, version: string, family: string) =>
    vendor === undefined
      ? `claude-${family}-${version.replace('.', '-')}`
      : `${vendor}claude-${family}-${version.replace('-', '.')}`,
  );

/**
 * How LiteLLM calls a model, between its provider and its name: `bedrock/converse/…`, `azure/responses/…`.
 * https://docs.litellm.ai/docs/providers/bedrock, https://docs.litellm.ai/docs/providers/azure
 */
const CALL_ROUTE =
  /^(?:responses|chat_completions|converse(?:_like)?|(?:async_)?invoke|o_series|gpt5_series|models)\//;

/** Region of a Bedrock id, or deployment type of an Azure id, in front of the model. */
const REGION_PATH: ReadonlyMap<string, RegExp> = new Map([
  ['aws', /^([a-z]{2}(?:-gov)?-[a-z]+-\d)\/(.+)$/],
  ['azure', /^(us|eu|global|global-standard)\/(.+)$/],
]);

const withoutRegion = (provider: string, id: string): ModelIdentity => {
  const [, region, model] = REGION_PATH.get(provider)?.exec(id) ?? [];
  return region === undefined || model === undefined
    ? { provider, model: id }
    : { provider, model, region: region.replace('-standard', '') };
};

const identify = (key: string): ModelIdentity => {
  const [rawProvider = '', rawModel = ''] = key.split('\u0000');
  const stated = canonicalProvider(rawProvider);
  const raw = withSlash(rawModel.trim().toLowerCase());
  const path = VERTEX_PATH.exec(raw);
  const named = path !== null && stated === 'unknown' ? 'google' : stated;
  const model = inOrder(withoutArn(raw).replace(DECORATION, '').replace(CALL_ROUTE, ''));
  // `azure/gpt-4o`: the gateway's routing prefix. A vendor's prefix at another host (`openai/gpt-oss-120b` at Groq) stays.
  const slash = model.indexOf('/');
  const prefix = slash > 0 ? canonicalProvider(model.slice(0, slash)) : '';
  const routed = prefix !== '' && (named === 'litellm' || prefix === named);
  const provider = routed ? prefix : named;
  const id = routed ? withoutArn(model.slice(slash + 1).replace(CALL_ROUTE, '')) : model;
  const served = withoutRegion(isBedrockId(provider, id) ? 'aws' : provider, id);
  if (served.provider === 'aws') return { ...served, model: withVendor(served.model) };
  // GitHub Models names the vendor in its ids, and Copilot does not.
  if (served.provider === 'github-copilot' && served.model.includes('/')) {
    return { ...served, provider: 'github-models' };
  }
  const location = served.provider === 'google' ? path?.[1] : undefined;
  return location === undefined ? served : { ...served, region: location };
};

const identityOf = memoize(identify);

/** Vendors whose API others have too, so that their SDKs call hosts of others. */
const IMITATED: ReadonlySet<string> = new Set(['openai', 'anthropic']);

/** What clouds call their model services. Their other hosts are gateways of their customers. */
const MODEL_SERVICE =
  /bedrock|openai|cognitiveservices|\.ai\.azure\.|aiplatform|generativelanguage|dashscope|maas|databricks/i;

/**
 * The provider that serves a host, if it is another one than an SDK names: SDKs name their own vendor. Undefined for a gateway,
 * which serves what the caller names.
 */
export const servedElsewhere = (named: string, host: string): string | undefined => {
  // `x.ai` alone is a name, and here it is a host.
  const called = providerOfHost(host.includes('://') ? host : `https://${host}`);
  if (called === undefined || !IMITATED.has(canonicalProvider(named))) return undefined;
  const isOfCloud = CLOUD_HOSTS.some(([, cloud]) => cloud === called);
  const server = canonicalProvider(called);
  return server === canonicalProvider(named) ||
    server === 'litellm' ||
    (isOfCloud && !MODEL_SERVICE.test(host))
    ? undefined
    : called;
};

/** The normalized spelling of a provider and model. Never fails: unknown names are returned unchanged. */
export const modelIdentity = (provider: string, model: string): ModelIdentity =>
  identityOf(memoKey(provider, model));

/**
 * The region that determines the price, or null if it is unknown: the one in the model id, else the one of the event.
 * A profile of AWS GovCloud has the prices of its region.
 */
export const priceRegion = (identity: ModelIdentity, region: string | undefined): string | null =>
  identity.region ??
  (region === undefined ? null : regionName(region)) ??
  (routingArea(identity.model) === 'us-gov' ? 'us-gov-west-1' : null);
