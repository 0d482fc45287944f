import type { ItemBudget } from '../../platform/shared/itemBudget.ts';
import { parseContentJson } from '../../platform/shared/json.ts';

/**
 * Counts and costs by model, in one column of a request that used several: `TOKENS_GRANULAR` of Snowflake, `modelUsage` of
 * Claude Code, `usage_metadata` of the callback of LangChain.
 */
const BY_MODEL = /^(?:(?:tokens|credits)_?granular|model_?usage|usage(?:_?metadata|_?by_?model)?)$/i;
const CREDITS = /^credits/i;
/** `claude-sonnet-4-5`, `openai/gpt-4o`. Counts have no digits, or have them after a word of their own. */
const MODEL = /^(?=.*\d)[a-z][\w.:/@-]{2,127}$/i;
const NO_MODEL = /token|cache|ephemeral|input|output|search/i;

type Row = Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const byModel = (value: unknown, items: ItemBudget): Row | undefined => {
  const object =
    typeof value === 'string' && value.startsWith('{') ? parseContentJson(value, items)?.value : value;
  if (!isRow(object)) return undefined;
  const members = Object.entries(object);
  const isByModel = members.every(
    ([name, member]) => isRow(member) && MODEL.test(name) && !NO_MODEL.test(name),
  );
  return isByModel && members.length > 0 ? object : undefined;
};

/**
 * The calls of the plugins of Kong, which logs all of a request together:
 * https://developer.konghq.com/ai-gateway/ai-audit-log-reference/
 */
const PLUGINS = 'ai';
const pluginRows = (row: Row): readonly (readonly [row: Row, plugin: string])[] => {
  const plugins = row[PLUGINS];
  return !isRow(plugins)
    ? []
    : Object.entries(plugins).flatMap(([name, plugin]) =>
        isRow(plugin) && isRow(plugin['usage']) ? [[{ ...row, [PLUGINS]: { proxy: plugin } }, name]] : [],
      );
};

/**
 * A row for each model in a row that has counts by model, or for each plugin that called one; the row itself if it has neither.
 */
export const modelRows = (
  row: unknown,
  items: ItemBudget,
): readonly (readonly [row: unknown, model?: string])[] => {
  if (!isRow(row)) return [[row]];
  const [plugin, ...more] = pluginRows(row);
  if (plugin !== undefined) return more.length === 0 ? [[plugin[0]]] : [plugin, ...more];
  const columns = Object.entries(row);
  const split = columns.flatMap(([name, value]) => {
    const models = BY_MODEL.test(name) ? byModel(value, items) : undefined;
    return models === undefined ? [] : [[name, models] as const];
  });
  const models = new Set(split.flatMap(([, counts]) => Object.keys(counts)));
  if (models.size === 0) return [[row]];
  // A total of the request is none of one of several models.
  const isShared = (name: string): boolean =>
    !split.some(([one]) => one === name) && (models.size === 1 || !/^(?:total_?)?tokens$/i.test(name));
  const shared = columns.filter(([name]) => isShared(name));
  return [...models].map((model) => [
    Object.fromEntries([
      ...shared,
      ['model', model],
      ...split.map(([name, counts]) => [CREDITS.test(name) ? name : 'usage', counts[model]] as const),
    ]),
    model,
  ]);
};
