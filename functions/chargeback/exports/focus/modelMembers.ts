/** A line of models with common names of their versions. The group `version` is the version, if the id states one. */
interface Family {
  readonly developer: string;
  readonly family: string;
  readonly ids: RegExp;
}

const family = (developer: string, name: string, ids: RegExp): Family => ({ developer, family: name, ids });

/** Not behind a letter or digit: ids have prefixes of hosts, such as `meta.` and `openai/`. */
const FAMILIES: readonly Family[] = [
  family('OpenAI', 'gpt-oss', /(?<![a-z\d])gpt-oss/),
  family('OpenAI', 'GPT', /(?<![a-z\d])(?:chat)?gpt-(?<version>\d+(?:\.\d+)?o?)/),
  family('OpenAI', 'o-series', /(?<![a-z\d])(?<version>o[134])(?![a-z\d])/),
  family('OpenAI', 'text-embedding', /(?<![a-z\d])text-embedding-(?<version>3)-/),
  family('Anthropic', 'Claude Opus', /claude-opus-(?<version>\d+(?:[.-]\d{1,2})?)(?!\d)/),
  family('Anthropic', 'Claude Sonnet', /claude-sonnet-(?<version>\d+(?:[.-]\d{1,2})?)(?!\d)/),
  family('Anthropic', 'Claude Haiku', /claude-haiku-(?<version>\d+(?:[.-]\d{1,2})?)(?!\d)/),
  family('Anthropic', 'Claude Opus', /claude-(?<version>3)-opus/),
  family('Anthropic', 'Claude Sonnet', /claude-(?<version>3(?:[.-][57])?)-sonnet/),
  family('Anthropic', 'Claude Haiku', /claude-(?<version>3(?:[.-]5)?)-haiku/),
  family('Anthropic', 'Claude', /(?<![a-z\d])claude/),
  family('Google', 'Gemini', /(?<![a-z\d])gemini-(?<version>\d+(?:\.\d+)?)(?!\d)/),
  family('Google', 'Gemini', /(?<![a-z\d])gemini/),
  family('Google', 'Gemma', /(?<![a-z\d])gemma-?(?<version>\d+n?)?(?![\d.])/),
  family('Meta', 'Llama', /(?<![a-z\d])llama-?(?<version>\d(?:[.-]\d(?![\db]))?)/),
  family('Mistral AI', 'Mixtral', /(?<![a-z\d])mixtral/),
  family('Mistral AI', 'Mistral', /(?<![a-z\d])(?:mistral|ministral)/),
  family('Mistral AI', 'Codestral', /(?<![a-z\d])codestral/),
  family('Mistral AI', 'Magistral', /(?<![a-z\d])magistral/),
  family('Mistral AI', 'Pixtral', /(?<![a-z\d])pixtral/),
  family('Cohere', 'Command', /(?<![a-z\d])command(?:-(?:r|a|light))?(?![a-z\d])/),
  family('DeepSeek', 'DeepSeek', /(?<![a-z\d])deepseek(?:[.-](?<version>[rv]\d(?:\.\d)?))?/),
  family('xAI', 'Grok', /(?<![a-z\d])grok-(?<version>\d(?:\.\d+)?)(?!\d)/),
  family('Alibaba Cloud', 'Qwen', /(?<![a-z\d])qwen-?(?<version>\d(?:\.\d)?)?(?!\d)/),
  family('Amazon', 'Nova', /(?<![a-z\d])nova-(?:micro|lite|pro|premier|canvas|reel|sonic)/),
  family('Amazon', 'Titan', /(?<![a-z\d])titan-/),
  family('Moonshot AI', 'Kimi', /(?<![a-z\d])kimi(?:-(?<version>k\d(?:\.\d)?))?/),
  family('Z.ai', 'GLM', /(?<![a-z\d])glm-(?<version>\d(?:\.\d)?)/),
  family('Microsoft', 'Phi', /(?<![a-z\d])phi-?(?<version>\d(?:\.\d)?)/),
  family('Perplexity', 'Sonar', /(?<![a-z\d])sonar/),
  family('Voyage AI', 'Voyage', /(?<![a-z\d])voyage(?:-[a-z]+)*-(?<version>\d(?:\.\d)?)/),
];

/**
 * The members of `SkuPriceDetails` about the developer, family and version of a model id, as FOCUS 1.5 names them in its draft.
 * What is not known of the model has no member.
 */
export const modelMembers = (model: string): string => {
  const id = model.toLowerCase();
  for (const { developer, family: name, ids } of FAMILIES) {
    const found = ids.exec(id);
    if (found === null) continue;
    const version = found.groups?.['version']?.replace('-', '.');
    const members = { ModelDeveloper: developer, ModelFamily: name, ModelVersion: version };
    return JSON.stringify(members).slice(1, -1);
  }
  return '';
};
