import { expect, it } from 'vitest';
import type * as z from 'zod';
import { BillCoverage } from '../../schemas/chargeback/reconciliation.ts';
import { SuggestedPrice } from '../../schemas/chargeback/suggestedPrices.ts';
import { expectNoFaults } from '../support/faults.ts';
import { documentedOutputs } from './documentedOutput.ts';
import { codeBlocksOf, pages, textOf } from './pages.ts';

/** JSON that no command before it prints: a page, words of it, and the schema of the service, or what else it is. */
const others: readonly (readonly [page: string, words: string, what: z.ZodObject | string])[] = [
  [
    'docs/guides/agents.md',
    'mcpServers',
    'settings of an agent: test/docs/quickStart.test.ts starts its server',
  ],
  ['docs/guides/aws-bills.md', 'sts:AssumeRole', 'a policy of AWS'],
  ['docs/guides/aws-bills.md', 's3:GetObject', 'a policy of AWS'],
  ['docs/guides/export-delivery.md', 'sts:AssumeRole', 'a policy of AWS'],
  ['docs/guides/export-delivery.md', 's3:PutObject', 'a policy of AWS'],
  ['docs/guides/prices.md', 'acme-large-2', 'a file that test/docs/quickStart.test.ts loads'],
  ['docs/guides/reports.md', 'days_without_bill', BillCoverage],
  ['docs/guides/reports.md', 'unpriced_invocations', SuggestedPrice],
];

const guides = pages.filter((page) => /^(?:README|docs\/guides\/.+|sdk\/\w+\/README)\.md$/.test(page));

it('all JSON of README, guides and packages is an output that is compared, or fits its schema, or says what it is', async () => {
  const used = new Set<string>();
  await expectNoFaults(guides, String, (page) => {
    const compared = [...documentedOutputs(textOf(page)).values()].map((output) => JSON.stringify(output));
    return codeBlocksOf(textOf(page))
      .filter(({ language }) => language === 'json')
      .flatMap(({ code }) => {
        const json: unknown = JSON.parse(code);
        if (compared.includes(JSON.stringify(json))) return [];
        const known = others.find(([name, words]) => name === page && code.includes(words));
        if (known === undefined) return [code];
        const [, words, what] = known;
        used.add(`${page} ${words}`);
        const error = typeof what === 'string' ? undefined : what.strict().safeParse(json).error;
        return error === undefined ? [] : [error.message];
      });
  });
  expect(others.map(([page, words]) => `${page} ${words}`).filter((name) => !used.has(name))).toEqual([]);
});
