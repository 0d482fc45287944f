const METHOD = { weightBytes: 2, energyFactor: 1, denseGpus: Number.POSITIVE_INFINITY, growthPerToken: 0 };

/**
 * Reference implementation of EcoLogits 0.9.3 with floats, written from its published equations. It shares no code with the
 * service. Returns the energy of the output tokens (Wh) and the hardware carbon (gCO2e) for one size in billions of parameters
 * and one PUE. The published method has 16-bit weights and the energy of an H100.
 */
export const ecologitsReference = (
  active: number,
  total: number,
  tokens: number,
  pue: number,
  latencySeconds?: number,
  { weightBytes, energyFactor, denseGpus, growthPerToken } = METHOD,
) => {
  const batch = 64;
  const gpus = 2 ** Math.ceil(Math.log2(Math.ceil((1.2 * total * weightBytes) / 80)));
  // The service divides the work of a dense model, and raises the energy of long answers.
  const work = active === total ? (active * Math.min(gpus, denseGpus)) / gpus : active;
  const length = 1 + growthPerToken * Math.max(0, Math.min(16_000, tokens) - 500);
  const perGpu =
    energyFactor *
    length *
    (1.1665273170451914e-6 * Math.exp(-0.011205921025579175 * batch) * work + 4.052928146734005e-5);
  const perToken = 6.785088094353663e-4 * work + 3.119310311688259e-4 * batch + 0.019473717579473387;
  const seconds = Math.min(tokens * perToken, latencySeconds ?? Number.POSITIVE_INFINITY);
  const server = ((seconds / 3600) * 1200 * gpus) / 8 / batch;
  const lifetime = 3 * 365 * 24 * 3600 * batch;
  return {
    wh: pue * (server + gpus * tokens * perGpu),
    embodied: (seconds / lifetime) * ((gpus / 8) * 5_700_000 + gpus * 164_000),
  };
};

/** What providers run, according to docs/accuracy.md. */
export const PROVIDERS = { weightBytes: 1, energyFactor: 0.6, denseGpus: 2, growthPerToken: 0.0000625 };
