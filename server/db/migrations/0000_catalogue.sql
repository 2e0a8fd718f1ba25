CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "categories" (
	"name" text PRIMARY KEY NOT NULL,
	"picture" jsonb
);
--> statement-breakpoint
CREATE TABLE "facts" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"seller_order_id" text NOT NULL,
	"product_id" text NOT NULL,
	"quantity" integer NOT NULL,
	"unit_cents" integer NOT NULL,
	CONSTRAINT "order_lines_quantity" CHECK ("order_lines"."quantity" > 0)
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"payment_status" text DEFAULT 'unpaid' NOT NULL,
	"price_cents" integer NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp with time zone,
	CONSTRAINT "orders_price" CHECK ("orders"."price_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "platform_banners" (
	"id" text PRIMARY KEY NOT NULL,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"link" text,
	"picture" jsonb NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" text PRIMARY KEY NOT NULL,
	"seller_id" text NOT NULL,
	"handle" text NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"category" text NOT NULL,
	"brand" text NOT NULL,
	"shop_name" text NOT NULL,
	"price_cents" integer NOT NULL,
	"discount" numeric(7, 4) DEFAULT 0 NOT NULL,
	"compare_at_cents" integer,
	"final_cents" integer GENERATED ALWAYS AS (price_cents - (floor(price_cents * discount / 10000))::integer * 100) STORED NOT NULL,
	"stock" integer DEFAULT 0 NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"tags" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"pictures" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"banner" jsonb,
	"is_promoted" boolean DEFAULT false NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"shipping_prices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"rating" double precision DEFAULT 0 NOT NULL,
	"rating_count" integer DEFAULT 0 NOT NULL,
	"units_sold" integer DEFAULT 0 NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', brand || ' ' || category), 'B') || setweight(to_tsvector('english', shop_name), 'C') || setweight(to_tsvector('english', regexp_replace(description, '<[^>]*>', ' ', 'g')), 'D')) STORED,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_slug_unique" UNIQUE("slug"),
	CONSTRAINT "products_seller_handle" UNIQUE("seller_id","handle"),
	CONSTRAINT "products_price" CHECK ("products"."price_cents" >= 0),
	CONSTRAINT "products_discount" CHECK ("products"."discount" between 0 and 100),
	CONSTRAINT "products_stock" CHECK ("products"."stock" >= 0)
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" text PRIMARY KEY NOT NULL,
	"product_id" text NOT NULL,
	"user_id" text,
	"name" text NOT NULL,
	"review" text NOT NULL,
	"rating" smallint NOT NULL,
	"is_verified_buyer" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reviews_product_user" UNIQUE("product_id","user_id"),
	CONSTRAINT "reviews_rating" CHECK ("reviews"."rating" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seller_orders" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"seller_id" text NOT NULL,
	"shop_name" text NOT NULL,
	"price_cents" integer NOT NULL,
	"delivery_status" text DEFAULT 'Pending' NOT NULL,
	CONSTRAINT "seller_orders_order_seller" UNIQUE("order_id","seller_id")
);
--> statement-breakpoint
CREATE TABLE "sellers" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"shop_name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"picture" jsonb,
	"banner" jsonb,
	"is_verified" boolean DEFAULT false NOT NULL,
	"has_ai" boolean DEFAULT false NOT NULL,
	"shipping_rates" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"rating" double precision DEFAULT 0 NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sellers_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "variants" (
	"product_id" text NOT NULL,
	"position" integer NOT NULL,
	"options" jsonb NOT NULL,
	"sku" text DEFAULT '' NOT NULL,
	"price_cents" integer NOT NULL,
	"compare_at_cents" integer,
	"stock" integer DEFAULT 0 NOT NULL,
	"extra" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "variants_product_id_position_pk" PRIMARY KEY("product_id","position")
);
--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_seller_order_id_seller_orders_id_fk" FOREIGN KEY ("seller_order_id") REFERENCES "public"."seller_orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_category_categories_name_fk" FOREIGN KEY ("category") REFERENCES "public"."categories"("name") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_orders" ADD CONSTRAINT "seller_orders_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variants" ADD CONSTRAINT "variants_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_lines_product" ON "order_lines" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("paid_at");--> statement-breakpoint
CREATE INDEX "products_top" ON "products" USING btree ("units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id","final_cents") WHERE not is_hidden;--> statement-breakpoint
CREATE INDEX "products_category_top" ON "products" USING btree ("category","units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id","final_cents") WHERE not is_hidden;--> statement-breakpoint
CREATE INDEX "products_seller_top" ON "products" USING btree ("seller_id","units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id") WHERE not is_hidden;--> statement-breakpoint
CREATE INDEX "products_price" ON "products" USING btree ("final_cents","id","rating") WHERE not is_hidden;--> statement-breakpoint
CREATE INDEX "products_category_price" ON "products" USING btree ("category","final_cents","id","rating") WHERE not is_hidden;--> statement-breakpoint
CREATE INDEX "products_filters" ON "products" USING btree ("category","rating","final_cents") WHERE not is_hidden;--> statement-breakpoint
CREATE INDEX "products_rating" ON "products" USING btree ("rating" DESC NULLS LAST,"id","final_cents") WHERE not is_hidden;--> statement-breakpoint
CREATE INDEX "products_latest" ON "products" USING btree ("created_at" DESC NULLS LAST,"id") WHERE not is_hidden;--> statement-breakpoint
CREATE INDEX "products_discount" ON "products" USING btree ("discount" DESC NULLS LAST,"id") WHERE not is_hidden;--> statement-breakpoint
CREATE INDEX "products_search" ON "products" USING gin ("search");--> statement-breakpoint
CREATE INDEX "reviews_latest" ON "reviews" USING btree ("product_id","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "search_words_alike" ON "search_words" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "sellers_by_rating" ON "sellers" USING btree ("is_verified" DESC NULLS LAST,"rating" DESC NULLS LAST,"id");