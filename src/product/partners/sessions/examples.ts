/** Examples of signing in and refreshing, for the API document. The credentials are the demo's. */
import type { Examples } from '#platform/http/openapi-examples.ts';

const pair = (random: string) => ({
  token: `ptl_at_${random}`,
  refreshToken: `ptl_rt_${[...random].reverse().join('')}`,
});
const first = pair('0m4Qv8Zs1kXc7bNf2RjT5yLw9PhG3dEuA6oViKqMxWe');
const second = pair('Yt3Kd9Qm2Wz6Rf1Lx8Vb4Nc7Hj5Pg0SaUoEiMkJqTwB');

export const signInExamples: { body: Examples; answer: Examples } = {
  body: {
    demo: {
      summary: 'The demo partner',
      value: { appKey: 'ptl_key_demo_only_for_trying_out', secret: 'ptl_secret_demo_only_for_trying_out' },
    },
  },
  answer: { signedIn: { summary: 'Signed in', value: { ...first, expiresIn: 172_800 } } },
};

export const refreshExamples: { body: Examples; answer: Examples } = {
  body: { pair: { summary: 'The pair of the sign-in', value: first } },
  answer: { refreshed: { summary: 'A new pair', value: { ...second, expiresIn: 172_800 } } },
};
