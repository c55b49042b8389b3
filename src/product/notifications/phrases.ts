/** What default texts of several subjects say alike. */

export const signature = '{{ workshop.name | shorten: 40 }}';
export const who = '{{ customer.name | shorten: 40 }} {{ customer.phone }}';
export const greeting = 'Hi {{ customer.firstName | default: customer.name }},\n\n';
/** After the details of an e-mail. */
export const goodbye =
  'Questions? Call us on {{ workshop.phone }} or write to {{ workshop.email }}.\n\n{{ workshop.name }}';
