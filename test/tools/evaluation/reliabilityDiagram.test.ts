import { expect, it } from 'vitest';
import { reliabilityDiagram } from '../../../tools/evaluation/reliabilityDiagram.ts';

const outcome = (score: number, right: boolean) => ({ score, isRight: right, weight: 1 });

it('draws one point per non-empty bin, with its confidence, accuracy and count', () => {
  const svg = reliabilityDiagram('Half & half', {
    model: [outcome(0.9, true), outcome(0.9, false), outcome(0.1, false)],
    served: [outcome(0.7, true)],
    heuristic: [outcome(0.5, true)],
  });

  expect(svg).toContain('Half &amp; half');
  expect(svg).toContain('<title>As trained: confidence 0.900, correct 0.500, 2 predictions</title>');
  expect(svg).toContain('<title>As served: confidence 0.700, correct 1.000, 1 predictions</title>');
  expect(svg).toContain('<title>Heuristic: confidence 0.500, correct 1.000, 1 predictions</title>');
  expect(svg.match(/<title>As trained: /g)).toHaveLength(2);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

it('draws no invalid numbers when there are no predictions', () => {
  expect(reliabilityDiagram('None', { model: [], served: [], heuristic: [] })).not.toMatch(
    /NaN|undefined|Infinity/,
  );
});
