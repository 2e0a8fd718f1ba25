CREATE TABLE "return_pictures" (
	"id" text PRIMARY KEY NOT NULL,
	"return_id" text NOT NULL,
	"key" text NOT NULL,
	"mime_type" text NOT NULL,
	"original_name" text NOT NULL,
	"size" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	CONSTRAINT "return_pictures_key" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "refunds_shipping" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "seller_orders" ADD COLUMN "refunds_shipping" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "return_pictures" ADD CONSTRAINT "return_pictures_return_id_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."returns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "return_pictures_return" ON "return_pictures" USING btree ("return_id");