import { isBedrockId } from '../../../impact/usage/bedrockId.ts';
import { modelOfSpelling } from './bedrockNames.ts';

/**
 * The names of models on bills of Amazon Bedrock, read in October and November 2026 from the price lists of AWS, from public
 * programs that map their names to model ids, and from
 * https://docs.aws.amazon.com/bedrock/latest/userguide/cost-mgmt-understanding-cur-data.html. They are no model ids:
 *
 *   USE1-Claude4.6Sonnet-input-tokens                              a name without spaces
 *   USE1-Llama3-3-70B-input-tokens                                 a part of a model id, in another spelling
 *   USE1-openai.gpt-oss-120b-mantle-input-tokens-standard          a model id without its version
 *   USW2-MP:USW2_InputTokenCount-Units                             AWS Marketplace: only the product has the name,
 *                                                                  `Claude Sonnet 4.6 (Amazon Bedrock Edition)`
 *
 * A name that is not listed and follows no rule has no model: a wrong one would move costs to another model.
 */

const EDITION = / \(Amazon Bedrock Edition\)$/;
/** `Claude4.6Sonnet`, `Claude3-5Haiku`, `Claude 3.5 Sonnet v2`, and the order of newer products, `Claude Sonnet 4.6`. */
const CLAUDE = /^claude ?(\d+)(?:[.-](\d+))? ?([a-z]+?)(?: ?(v\d))?$/i;
const CLAUDE_FAMILY_FIRST = /^claude ([a-z]+) (\d+)(?:\.(\d+))?$/i;
/** `OpenAI GPT-5.6 Sol` */
const OPENAI = /^openai (gpt-\d+(?:\.\d+)?) ([a-z]+)$/i;
/** From this version on, model ids have the family before the version: `claude-sonnet-4-5`, after `claude-3-7-sonnet`. */
const FAMILY_FIRST_SINCE = 4;

const claudeId = (family: string, major: string, minor: string | undefined, revision?: string): string => {
  const version = minor === undefined || minor === '0' ? major : `${major}-${minor}`;
  const parts = Number(major) < FAMILY_FIRST_SINCE ? [version, family] : [family, version];
  return ['anthropic.claude', ...parts, ...(revision === undefined ? [] : [revision])]
    .join('-')
    .toLowerCase();
};

/** Whether a product of AWS Marketplace is a model of Amazon Bedrock. */
export const isBedrockEdition = (productName: string): boolean => EDITION.test(productName);

/** The Bedrock model id, without date and version, of a name on a bill. Null if the name is not known. */
export const bedrockModelOf = (name: string): string | null => {
  const bare = name.replace(EDITION, '').trim();
  const key = bare.toLowerCase();
  if (isBedrockId('aws', key)) return key;
  const known = modelOfSpelling(bare);
  if (known !== null) return known;
  const [, major, minor, family, revision] = CLAUDE.exec(bare) ?? [];
  if (major !== undefined && family !== undefined) return claudeId(family, major, minor, revision);
  const [, newFamily, newMajor, newMinor] = CLAUDE_FAMILY_FIRST.exec(bare) ?? [];
  if (newFamily !== undefined && newMajor !== undefined) return claudeId(newFamily, newMajor, newMinor);
  const [, generation, size] = OPENAI.exec(bare) ?? [];
  return generation === undefined ? null : `openai.${generation}-${size}`.toLowerCase();
};
