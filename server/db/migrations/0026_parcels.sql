CREATE TABLE "parcel_lines" (
	"parcel_id" text NOT NULL,
	"order_line_id" text NOT NULL,
	"quantity" integer NOT NULL,
	CONSTRAINT "parcel_lines_parcel_id_order_line_id_pk" PRIMARY KEY("parcel_id","order_line_id"),
	CONSTRAINT "parcel_lines_quantity" CHECK ("parcel_lines"."quantity" > 0)
);
--> statement-breakpoint
CREATE TABLE "parcels" (
	"id" text PRIMARY KEY NOT NULL,
	"seller_order_id" text NOT NULL,
	"number" integer NOT NULL,
	"status" text DEFAULT 'sent' NOT NULL,
	"carrier" text,
	"tracking_number" text,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expected_at" timestamp with time zone NOT NULL,
	"arrived_at" timestamp with time zone,
	"reported_by" text,
	CONSTRAINT "parcels_number" UNIQUE("seller_order_id","number"),
	CONSTRAINT "parcels_arrival" CHECK (("parcels"."status" = 'arrived') = ("parcels"."arrived_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "handling_days" jsonb;--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "transit_days" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "seller_orders" ADD COLUMN "delivery_days" jsonb;--> statement-breakpoint
ALTER TABLE "seller_orders" ADD COLUMN "delivered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "parcel_lines" ADD CONSTRAINT "parcel_lines_parcel_id_parcels_id_fk" FOREIGN KEY ("parcel_id") REFERENCES "public"."parcels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parcel_lines" ADD CONSTRAINT "parcel_lines_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parcels" ADD CONSTRAINT "parcels_seller_order_id_seller_orders_id_fk" FOREIGN KEY ("seller_order_id") REFERENCES "public"."seller_orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "parcel_lines_line" ON "parcel_lines" USING btree ("order_line_id");--> statement-breakpoint
CREATE INDEX "parcels_underway" ON "parcels" USING btree ("expected_at") WHERE status = 'sent';
--> statement-breakpoint
-- Parts that were sent before there were parcels: each in one, with everything in it.
INSERT INTO parcels (id, seller_order_id, number, status, sent_at, expected_at, arrived_at, reported_by)
SELECT part.id, part.id, 1, CASE part.delivery_status WHEN 'Delivered' THEN 'arrived' ELSE 'sent' END,
  coalesce(sent.at, orders.paid_at, orders.created_at),
  coalesce(sent.at, orders.paid_at, orders.created_at) + interval '14 days',
  CASE part.delivery_status WHEN 'Delivered' THEN coalesce(arrived.at, orders.paid_at, orders.created_at) END,
  CASE part.delivery_status WHEN 'Delivered' THEN 'seller' END
FROM seller_orders part
JOIN orders ON orders.id = part.order_id
LEFT JOIN order_steps sent ON sent.order_id = part.order_id AND sent.kind = 'shipped:' || part.id
LEFT JOIN order_steps arrived ON arrived.order_id = part.order_id AND arrived.kind = 'delivered:' || part.id
WHERE part.delivery_status IN ('Shipped', 'Delivered');
--> statement-breakpoint
INSERT INTO parcel_lines (parcel_id, order_line_id, quantity)
SELECT parcels.id, line.id, line.quantity FROM parcels JOIN order_lines line ON line.seller_order_id = parcels.seller_order_id;
--> statement-breakpoint
UPDATE seller_orders SET delivered_at = parcels.arrived_at FROM parcels WHERE parcels.seller_order_id = seller_orders.id;
