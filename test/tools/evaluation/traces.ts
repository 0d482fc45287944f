import { numbers } from '../../attribution/training/prediction/syntheticTraffic.ts';

export const HEADER = 't_s,category,model,client_id,input_tokens,output_tokens';

/** CSV rows of synthetic callers. The callers differ in the number of input tokens per call. */
export const rowsOf = (count: number, callers: number, seed = 1): string[] => {
  const draw = numbers(seed);
  return Array.from({ length: count }, (_, at) => {
    const caller = Math.floor(draw() * callers);
    const input = Math.floor(50 * 1.7 ** caller * (0.9 + 0.2 * draw()));
    return `${(at * 30).toFixed(1)},language,m-${caller % 2},${caller},${input},${Math.floor(draw() * 500)}`;
  });
};
