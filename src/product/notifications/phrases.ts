/** Phrases shared by the default texts of several subjects. */

export const signature = '{{ workshop.name | shorten: 40 }}';
export const who =
  '{{ customer.name | default: "name not given" | shorten: 40 }} {{ customer.phone | default: "phone not given" }}';
export const greeting =
  'Hi{% if customer.name != "" %} {{ customer.firstName | default: customer.name }}{% endif %},\n\n';
/** Tells the workshop how to reach the customer, if there is a way. */
export const reach =
  '{% if customer.phone != "" %} You can reach them on {{ customer.phone }}{% if customer.email != "" %} or {{ customer.email }}{% endif %}.{% elsif customer.email != "" %} You can reach them on {{ customer.email }}; their phone is not given.{% endif %}';
/** After the details of an e-mail. */
export const goodbye =
  'Questions? Call us on {{ workshop.phone }} or write to {{ workshop.email }}.\n\n{{ workshop.name }}';
