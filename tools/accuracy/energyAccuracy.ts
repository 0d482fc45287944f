import { ENERGY_UNCERTAINTY, type EstimateClass } from '../../functions/impact/footprint/uncertainty.ts';
import { type ComparedAnchor, compareAnchors } from './compareAnchors.ts';

const MEANING: Readonly<Record<EstimateClass, string>> = {
  A: 'A: metered by the producer',
  B: 'B: open weights, known size',
  C: 'C: closed model, published estimate of its size, or B with a long answer',
  prefill: 'B or C, mostly for reading input, or C with a long answer',
  D: 'D: unknown model, size class only',
};

const rows = (Object.keys(MEANING) as EstimateClass[]).map((name) => {
  const { gsd, down, up } = ENERGY_UNCERTAINTY[name];
  return `| ${MEANING[name]} | ${gsd} | × ${down.round(2).toFixed()} to × ${up.round(2).toFixed()} |`;
});

const digits = (value: number): string => String(Number(value.toPrecision(2)));

const anchorRow = ({
  name,
  input,
  output,
  least,
  most,
  low,
  central,
  high,
  ratio,
  isInside,
  source,
}: ComparedAnchor) => {
  const published = least === most ? digits(least) : `${digits(least)} to ${digits(most)}`;
  const ours = `${digits(central)} (${digits(low)} to ${digits(high)})`;
  return `| ${name} | ${input} / ${output} | ${published} | ${ours} | ${digits(ratio)} | ${isInside ? 'yes' : 'no'} | ${source} |`;
};

/** The section about energy: the published uncertainty by class, and the known differences to other estimates. */
export const energyAccuracy = async (): Promise<string> => {
  const anchors = await compareAnchors();
  const ratios = anchors.map(({ ratio }) => ratio).toSorted((a, b) => a - b);
  const median =
    ((ratios[Math.floor((ratios.length - 1) / 2)] ?? 0) + (ratios[Math.floor(ratios.length / 2)] ?? 0)) / 2;
  const inside = anchors.filter(({ isInside }) => isInside).length;
  return [
    '## Energy and carbon',
    '',
    'Nobody outside a provider can meter a single call, so each figure is an estimate with a 90 % range:',
    '',
    '| evidence | geometric standard deviation | 90 % range around the centre |',
    '|---|---|---|',
    ...rows,
    '',
    `Published energies of calls, in Wh, against the estimate for the same model and tokens. ${inside} of ${anchors.length} lie inside the range; the`,
    `median ratio is ${digits(median)}:`,
    '',
    '| call | tokens in / out | published | estimate | ratio | inside | source |',
    '|---|---|---|---|---|---|---|',
    ...anchors.map(anchorRow),
    '',
    '- **Serving.** The method assumes 16-bit weights on H100. Providers serve 8-bit weights, and newer GPUs need about half the energy',
    '  of an H100 for a token, so the estimate takes 8 bits and a fleet factor of 0.6, which puts the medians of the table above and of',
    '  ML.ENERGY at about equal distance from it. Models that are published in 4 bits (gpt-oss, Kimi K2 Thinking and K2.5) need fewer',
    '  GPUs; other weights of 4 bits are at the lower end of the range.',
    '- **Not compared:** the life cycle of Mistral Large 2 (1.14 gCO2e for 400 tokens, July 2025) contains training and the life of',
    '  the data centre, which an estimate of a call leaves out, and lies far above the range. Jegham et al. state 39 Wh for o3 and',
    '  34 Wh for DeepSeek R1 with a long prompt, without the tokens of their reasoning: some 15 times the estimate for 1,500 tokens.',
    '- **Successors** without a published size have that of their line with the range of class D.',
    '- **Dense models above 100B.** The method takes each GPU for as busy as one alone. A token of Llama 3.1 405B would then need 3.5 to',
    '  5.8 times what ML.ENERGY measured, so more than two GPUs divide the work of a dense model.',
    '- **Long answers.** 7,000 to 9,000 tokens of reasoning need from as much to 3.7 times as much energy a token as 700 of conversation',
    '  with the same model and GPU (ML.ENERGY), and in InferenceMAX hardly more. Each token after the first 500 makes all dearer by',
    '  1/16,000, up to 16,000 tokens, and above 2,000 tokens the range is that of the next class.',
    '- **ML.ENERGY v3** measures 25 open models on H100 and B200, in conversation, problem solving and code, the GPUs alone. With a fifth',
    '  more for the rest of the server, and a PUE of 1.15 in the estimate, 56 of 58 medians over configurations with a batch of 32 or',
    '  more lie inside the range. The median ratio is 1.0. Outside are DeepSeek V3.1 in conversation (4 times the measurement) and',
    '  Qwen3 Coder 480B with 8 bits (a quarter, and .8 with 16 bits). Of 23 medians that no constant was fitted to, in code and with',
    '  images, 21 lie inside, at a median ratio of .7.',
    '- The deviation of class B follows from measurements of ML.ENERGY (v3) on H100: 1.84 over 26 models at one batch size, 2.35 over',
    '  350 configurations.',
    '- **Speeds.** The time of a token follows from the size of a model, as in EcoLogits without measured speeds. EcoLogits uses',
    '  speeds of OpenRouter where it has them: 300 tokens of gpt-4o are then .63 Wh instead of .89 Wh. Speeds of a router change',
    '  daily, so the same call would get another figure on another day. The range contains both.',
    '- **Input tokens** are our own term. No published measurement covers it, so the range widens where it is most of the energy.',
    '- **Grid.** The range of carbon adds the uncertainty of the location: a factor of 1.15 for a known region, 1.3 for a country,',
    '  1.6 for a default of the provider.',
    '- **Market-based** carbon is known for AWS (0 g/kWh, 2024: all electricity matched) and Google (94 g/kWh, 2024), and absent elsewhere.',
    '- **Water** is that on site (WUE of the operator: .12 to .15 L/kWh at AWS, .27 to .57 at Microsoft, .99 to 1.15 at Google) and that of',
    '  the electricity (by country, Reig et al. 2020), each with its range. Google measured .26 mL on site for a median prompt of .24 Wh.',
    '- **Images, audio and reranks** have no energy, because nobody publishes it.',
    '- **Totals** state joint ranges: see [reports](guides/reports.md#how-certain-is-a-total).',
    '',
  ].join('\n');
};
