import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Router } from 'wouter';
import { Skeleton } from './components/reading/Loaded.tsx';
import { SessionGate } from './session/SessionGate.tsx';
import { Pages } from './shell/Pages.tsx';
import { Shell } from './shell/Shell.tsx';

const queries = new QueryClient({
  defaultOptions: {
    // The client of the API repeats what is safe to repeat.
    queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: false },
  },
});

export const App = () => (
  <QueryClientProvider client={queries}>
    <SessionGate>
      <Router base="/console">
        <Shell>
          <Suspense fallback={<Skeleton height={480} />}>
            <Pages />
          </Suspense>
        </Shell>
      </Router>
    </SessionGate>
  </QueryClientProvider>
);
